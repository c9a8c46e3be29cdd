import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withinWords } from "./answer-conversation.ts";
import { INSTRUCTIONS, replyTo, scripts } from "./talk-under-test.ts";
import type { Said, TalkOptions } from "./talk-under-test.ts";

const textOf = (said: Said, options?: TalkOptions): string => replyTo(said, options).text;
const directions = (said: Said, options?: TalkOptions): string[] =>
  [...textOf(said, options).matchAll(/⟦([^⟧]*)⟧/g)].map(([, direction]) => direction!);
const withCan = (...can: string[]): string =>
  INSTRUCTIONS.replace('"brand":', `"can":${JSON.stringify(can)},"brand":`);
const done: TalkOptions = { open: [], shown: ["range"], email: "declined" };

describe("responds first", () => {
  test("to a question from the knowledge, and then asks the next open question", () => {
    const { text, by } = replyTo(["How much is the City model?"], { open: ["start"] });
    expect(text).toMatch(
      /The City model costs 2,990 euros\. ⟦ask start⟧ When would you like to ride\?$/,
    );
    expect(by).toBe("knowledge");
  });

  test("with what the owner has to show for it, where the knowledge says nothing", () => {
    expect(directions(["Can I see the range table of the trailer?"])).toContain("show range");
  });

  test("to two questions with two answers, and asks nothing itself", () => {
    const text = textOf(["What does the City model cost? And is there a warranty?"]);
    expect(text).toMatch(/2,990.*five years/);
    expect(text).not.toContain("⟦ask");
    expect(textOf(["What does the City model cost, and how long does the battery last?"])).toMatch(
      /2,990.*80 kilometres/,
    );
  });

  test("to a question that only goes on with the one before", () => {
    const said = ["What does the City model cost?", "I don't know.", "And roughly?"];
    expect(textOf(said)).toContain("2,990");
  });

  test("admits what it does not know, and offers a person where there is one", () => {
    const says = scripts.says("de");
    const isOneOf = (text: string, variants: string[]): boolean =>
      variants.some((variant) => text.includes(variant));
    const said = ["Gibt es das in Rot?"];
    const text = textOf(said, { language: "de" });
    expect([isOneOf(text, says.unknown), isOneOf(text, says.offer_person)]).toEqual([true, true]);
    expect(directions([...said, text, "Ja, bitte"], { language: "de" })).toEqual(["person"]);
    const alone = textOf(said, { language: "de", instructions: withCan("show") });
    expect(isOneOf(alone, says.offer_person)).toBe(false);
  });

  test("admits in its own words that it knows no price", () => {
    const instructions = INSTRUCTIONS.replaceAll(/The \w+ model costs.*/g, "");
    expect(textOf(["Was kostet das?"], { instructions, language: "de" })).toMatch(/Preis/);
  });

  test("to an angry visitor calmly, without a question", () => {
    expect(scripts.says("en").hostile).toContain(textOf(["This is stupid"]));
  });

  test("to somebody who asks what it is with the truth", () => {
    expect(textOf(["Are you a human?"])).toMatch(/AI/);
    expect(textOf(["Are you a real model, like ChatGPT?"])).toMatch(/stand-in.*setting|setting/);
    expect(textOf(["Bist du ein echtes Modell?"], { language: "de" })).toMatch(/Platzhalter/);
  });

  test.each([
    ["The visitor confirmed ann@example.com on the card.", "none", /address/],
    ["The visitor confirmed ann@example.com on the card.", "follows", /summary/],
    ["The visitor closed the card without an address.", "none", /fine|No problem/],
    ["The visitor has been silent for 20 seconds.", "none", /here|hurry/],
    ["The call was interrupted and is back. Take up where you stopped.", "none", /again|back/],
  ] as const)("to an event: %s (mail: %s)", (event, mail, words) => {
    const said = ["Hello", "Your address?", ""];
    expect(textOf(said, { events: [event], mail, email: "confirmed" })).toMatch(words);
  });
});

describe("gives directions", () => {
  test("content that fits what was asked, and not twice", () => {
    const said = ["How far does the battery last?"];
    expect(directions(said, { open: [] })).toEqual(["show range"]);
    expect(directions(said, { ...done })).toEqual([]);
    expect(directions(said, { open: [], instructions: withCan("bye") })).toEqual([]);
  });

  test("what it offers to show is shown when the visitor says yes", () => {
    const offer = textOf(["Thanks"], { open: [], email: "declined" });
    expect(offer).toMatch(/“The range table”\?$/);
    expect(directions(["Thanks", offer, "Yes please"], { open: [], email: "declined" })).toEqual([
      "show range",
    ]);
  });

  test("the card, with the address that the visitor wrote", () => {
    expect(directions(["Write to ann@example.com"])).toEqual(["email ann@example.com"]);
    expect(directions(["Please send me that by email"])).toEqual(["email"]);
    expect(directions(["Please send me that"], { instructions: withCan() })).toEqual([
      "ask riders",
    ]);
  });

  test("the card when the questions are through and something was seen, or after five turns", () => {
    expect(directions(["I see"], { open: [], shown: ["range"] })).toEqual(["email"]);
    expect(directions(["I see"], { open: [] })).toEqual([]);
    const talk = Array.from({ length: 9 }, (_, index) => (index % 2 === 0 ? "I see" : "Well."));
    expect(directions(talk, { shown: ["range"] })).toEqual(["email"]);
    expect(directions(talk, { email: "declined" })).toEqual(["ask riders"]);
  });

  test("a mail is promised only where one follows", () => {
    const due = { open: [], shown: ["range"] };
    expect(textOf(["Okay"], due)).not.toMatch(/summary|send|(?<!⟦e)mail/);
    expect(textOf(["Okay"], { ...due, mail: "follows" })).toContain("summary");
  });

  test("the way to a person, where there is one", () => {
    expect(directions(["I want to talk to a person"])).toEqual(["person"]);
    expect(directions(["I want to talk to a person"], { instructions: withCan() })).toEqual([]);
  });

  test("a goodbye to a goodbye and to nothing else", () => {
    expect(textOf(["Thanks, bye"])).toMatch(/^⟦bye⟧ .*oodbye!$/);
    expect(directions(["Thanks, bye"], { instructions: withCan() })).toEqual([]);
    const asked = "Is there anything else you'd like to know?";
    expect(directions(["Good", asked, "No, thank you"], done)).toEqual(["bye"]);
    for (const words of ["I have to go through procurement first", "That is all very nice"])
      expect(directions([words], done)).toEqual([]);
  });

  test("another language when the visitor goes on in it, if the agent speaks it", () => {
    const said = ["Wie lange hält der Akku denn so?"];
    expect(directions(said, { open: [] })[0]).toBe("language de");
    expect(directions(said, { open: [], language: "de" })).toEqual([]);
    const instructions = INSTRUCTIONS.replace('["en","de","fr","es"]', '["en","it"]');
    expect(directions(said, { open: [], instructions })).not.toContain("language de");
  });

  test("no question after one of its own that was passed over", () => {
    const said = ["⟦ask riders⟧ How many people would ride it?", "What does the City model cost?"];
    expect(directions(said, { open: ["start"], asked: ["riders"] })).toEqual([]);
  });
});

describe("after a veto", () => {
  const veto = (code: string): string =>
    `Not said: "It costs 5 euros." Why: ${code}: no figure. Go on.`.replace('." Why', '.". Why');

  test("goes on behind what was let through, without saying it again", () => {
    const said = ["How much is the City model?", "Good question.", ""];
    const text = textOf(said, { events: [veto("figure")] });
    expect(text).toBe("⟦ask riders⟧ How many people in your family would ride it?");
  });

  test("asks nothing where a question was held back", () => {
    const said = ["Hm, well.", "Good.", ""];
    expect(textOf(said, { events: [veto("asked")] })).not.toContain("⟦ask");
  });

  test("admits it in other words where nothing was let through", () => {
    const text = textOf(["How much is the City model?"], { events: [veto("money")] });
    expect(text).not.toContain("2,990");
    expect(scripts.says("en").unknown.some((one) => text.startsWith(one))).toBe(true);
  });
});

test("a search where the knowledge is large, and an answer from what it found", () => {
  const instructions = INSTRUCTIONS.replace(
    /# Knowledge\n[^]*/,
    "# Knowledge\nUse search_knowledge.",
  );
  const asked = "Which colour is the saddle?";
  const options = { instructions, tools: ["search_knowledge"] };
  const { text, toolCalls } = replyTo([asked], options);
  expect(text).toBe("");
  expect(toolCalls).toEqual([{ name: "search_knowledge", arguments: { query: "colour saddle" } }]);
  const call = {
    id: "1",
    type: "function",
    function: { name: "search_knowledge", arguments: "{}" },
  };
  const after = (content: string) =>
    textOf(
      [
        { role: "user", content: asked },
        { role: "assistant", tool_calls: [call] },
        { role: "tool", tool_call_id: "1", content },
      ],
      options,
    );
  expect(after("## a.md#Saddle\nThe saddle has the colour of honey.")).toContain("honey");
  expect(scripts.says("en").unknown.some((one) => after("Nothing.").startsWith(one))).toBe(true);
  const events = ["Answer now, without searching."];
  expect(replyTo([asked], { ...options, events }).toolCalls).toEqual([]);
});

test("whatever was said, something is said, with at most one question, card and content", () => {
  fc.assert(
    fc.property(fc.string(), fc.boolean(), (said, isOpen) => {
      const given = directions([said], isOpen ? {} : done);
      expect(
        textOf([said], isOpen ? {} : done)
          .replaceAll(/⟦[^⟧]*⟧/g, "")
          .trim(),
      ).not.toBe("");
      for (const name of ["ask", "email", "show"])
        expect(given.filter((one) => one.startsWith(name)).length).toBeLessThanOrEqual(1);
    }),
  );
});

test("no phrase is said twice, and the same talk is always the same", () => {
  const said = ["Is it red?"];
  for (const next of ["Is it blue?", "Is it green?", "Is it pink?"])
    said.push(textOf(said, done), next);
  const replies = said.filter((_, index) => index % 2 === 1);
  expect(new Set(replies).size).toBe(replies.length);
  expect(textOf(["Is it red?"], done)).toBe(replies[0]);
});

test("who tells a long story hears no phrase twice either", () => {
  const said: string[] = [];
  for (const year of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    said.push(`In year ${year} my uncle painted another barn behind the old house.`);
    said.push(textOf(said, done));
  }
  const heard = said
    .filter((_, index) => index % 2 === 1)
    .flatMap((text) => text.split(/(?<=[.?]) /));
  expect(new Set(heard).size).toBe(heard.length);
});

test("whole sentences are left out from the end of the response, but none with a direction", () => {
  expect(withinWords("One two. Three four. Five six.", "Seven eight?", 6)).toBe(
    "One two. Three four. Seven eight?",
  );
  expect(withinWords("One two. Three four. ⟦show x⟧ Five six.", "Seven?", 5)).toBe(
    "One two. ⟦show x⟧ Five six. Seven?",
  );
});

test("its first sentence and what follows are always said", () => {
  expect(withinWords("One two three. Four.", "Five six?", 2)).toBe("One two three. Five six?");
  expect(withinWords("", "Five six?", 1)).toBe("Five six?");
});
