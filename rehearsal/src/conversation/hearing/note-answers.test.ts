import { expect, test } from "vitest";
import { replyTo } from "../talk-under-test.ts";
import type { TalkOptions } from "../talk-under-test.ts";

const GUIDE = `# Agent
{"name":"Linden","brand":"Svc","language":"en"}
# Questions
{"key":"use_case","text":"What would you like visitors of your site to see or understand?"}
{"key":"monthly_visitors","text":"About how many people visit that page in a month?"}
{"key":"timeline","text":"When would you like to have it running?"}
`;

function notes(said: string[], options: TalkOptions = {}): Record<string, unknown> {
  const { toolCalls } = replyTo(said, { instructions: GUIDE, ...options });
  const made = toolCalls.filter(({ name }) => name === "note_answer").map((call) => call.arguments);
  return Object.fromEntries(made.map(({ question, quote }) => [question, quote]));
}

test("what follows a question answers it, in the visitor's words", () => {
  const asked = "I see. When would you like to have it running?";
  expect(notes([asked, "We decide that in the team."])).toEqual({
    timeline: "We decide that in the team.",
  });
  expect(notes([asked, "Hm. Next spring. Does that work?"])).toEqual({ timeline: "Next spring." });
});

test("a translated question is known again", () => {
  const asked = "Danke. Wann möchten Sie es im Einsatz haben?";
  expect(notes([asked, "Nach dem Sommer"], { language: "de" })).toEqual({
    timeline: "Nach dem Sommer",
  });
});

test.each(["Why do you ask?", "I don't know", "Are you human?", "Thanks", "Bye", "Tell me a joke"])(
  "%s answers nothing",
  (said) => {
    expect(notes(["When would you like to have it running?", said])).toEqual({});
  },
);

test.each([
  ["monthly_visitors", "We get about 3,000 visitors a month."],
  ["monthly_visitors", "Wir haben etwa fünftausend Besucher im Monat"],
  ["monthly_visitors", "Nous avons 2000 visites par mois"],
  ["timeline", "We want to launch in January."],
  ["timeline", "Wir wollen im Frühjahr starten"],
  ["timeline", "Queremos empezar el próximo mes"],
  ["use_case", "I want people to understand our prices"],
])("%s is answered before it is asked: %s", (key, said) => {
  expect(notes([said])).toEqual({ [key]: said });
});

test.each([
  "We have 30 people in the team.",
  "May I say something",
  "Our visitors are mostly young.",
  "We started as a bakery.",
])("nothing is read into: %s", (said) => {
  expect(notes([said])).toEqual({});
});

test("what is answered already, or nobody wants to hear, is not noted", () => {
  const said = ["When would you like to have it running?", "Next week"];
  expect(notes(said, { answered: ["timeline"] })).toEqual({});
  expect(notes(said, { tools: ["show_content"] })).toEqual({});
});

test("a question that the visitor has just answered is not asked", () => {
  const goal = {
    kind: "ask",
    key: "timeline",
    text: "When would you like to have it running?",
  } as const;
  const { text } = replyTo(["We want to launch in January."], { instructions: GUIDE, goal });
  expect(text).not.toContain("running");
});
