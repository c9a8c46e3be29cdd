import fc from "fast-check";
import { expect, test } from "vitest";
import { replyTo } from "../talk-under-test.ts";
import type { TalkOptions } from "../talk-under-test.ts";

const GUIDE = `# Agent
{"name":"Linden","brand":"Svc","languages":["en","de","fr","es"]}
# Questions
{"key":"use_case","text":"What would you like visitors of your site to see or understand?"}
{"key":"monthly_visitors","text":"About how many people visit that page in a month?"}
{"key":"timeline","text":"When would you like to have it running?"}
`;

function notes(said: string[], options: TalkOptions = {}): Record<string, string> {
  const { text } = replyTo(said, { instructions: GUIDE, ...options });
  const made = [...text.matchAll(/⟦got (\w+): ([^⟧]*)⟧/g)];
  return Object.fromEntries(made.map(([, key, quote]) => [key!, quote!]));
}

test("what follows a question answers it, in the visitor's words", () => {
  const asked = "I see. ⟦ask timeline⟧ When would you like to have it running?";
  expect(notes([asked, "After the summer, I think."])).toEqual({
    timeline: "After the summer, I think",
  });
  expect(notes([asked, "We are a small family business."])).toEqual({});
  expect(notes([asked, "Hm. Next spring. Does that work?"])).toEqual({ timeline: "Next spring" });
});

test("a translated question is known again", () => {
  const asked = "Danke. ⟦ask timeline⟧ Wann möchten Sie es im Einsatz haben?";
  expect(notes([asked, "Nach dem Sommer"], { language: "de" })).toEqual({
    timeline: "Nach dem Sommer",
  });
});

test.each([
  "Why do you ask?",
  "I don't know",
  "Are you human?",
  "Thanks",
  "Bye",
  "Tell me a joke",
  "That looks useful.",
])("%s answers nothing", (said) => {
  expect(notes(["⟦ask timeline⟧ When would you like to have it running?", said])).toEqual({});
});

test.each([
  ["monthly_visitors", "We get about 3,000 visitors a month."],
  ["monthly_visitors", "Wir haben etwa fünftausend Besucher im Monat"],
  ["monthly_visitors", "Nous avons 2000 visites par mois"],
  ["timeline", "We want to launch in January."],
  ["timeline", "Wir wollen im Frühjahr starten"],
  ["timeline", "Queremos empezar el próximo mes"],
  ["use_case", "I want people to understand our prices"],
])("%s is answered before it is asked: %s", (key, said) => {
  expect(notes([said])).toEqual({ [key]: said.replace(/\.$/, "") });
});

test.each([
  "We have 30 people in the team.",
  "May I say something",
  "Our visitors are mostly young.",
  "We started as a bakery.",
])("nothing is read into: %s", (said) => {
  expect(notes([said])).toEqual({});
});

test("several answers are noted at once, each with its own words", () => {
  const said =
    "Visitors should understand our bikes, we get about 3,000 a month, and we want to go live in March.";
  expect(notes([said])).toEqual({
    use_case: "Visitors should understand our bikes",
    monthly_visitors: "we get about 3,000 a month",
    timeline: "we want to go live in March",
  });
});

test("an answer that comes late, or that corrects an earlier one, is noted", () => {
  expect(notes(["I see.", "Next month"], { asked: ["timeline"], open: [] })).toEqual({
    timeline: "Next month",
  });
  expect(notes(["I see.", "Next month"], { open: ["timeline"] })).toEqual({});
  const answered = { monthly_visitors: "500" };
  const corrected = "No, sorry, rather 50,000 visitors a month.";
  expect(notes(["⟦ask timeline⟧ When?", corrected], { answered, open: [] })).toEqual({
    monthly_visitors: "rather 50,000 visitors a month",
  });
});

test("what is answered already is not noted", () => {
  const said = ["⟦ask timeline⟧ When would you like to have it running?", "Next week"];
  expect(notes(said, { answered: { timeline: "soon" } })).toEqual({});
});

test("a question that the visitor has just answered is not asked", () => {
  const { text } = replyTo(["We want to launch in January."], {
    instructions: GUIDE,
    open: ["timeline"],
  });
  expect(text).not.toContain("⟦ask");
});

test("every quote is the visitor's own words", () => {
  const parts = [
    "We want it",
    "in May",
    ", ",
    ". ",
    "about 300 visitors",
    " a month",
    "understand",
    "our bikes",
    "\n",
    "?",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), (chosen) => {
      const said = chosen.join("");
      for (const quote of Object.values(notes([said]))) expect(said).toContain(quote);
    }),
  );
});
