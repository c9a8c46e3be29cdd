import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withinWords } from "./answer-conversation.ts";
import { INSTRUCTIONS, TOOLS, replyTo, scripts } from "./talk-under-test.ts";
import type { TalkOptions } from "./talk-under-test.ts";
import type { Goal } from "./talk.ts";

const calls = (said: (string | object)[], options?: TalkOptions) =>
  replyTo(said, options).toolCalls.map((call) => [call.name, call.arguments]);
const ask: Goal = { kind: "ask", key: "start", text: "When would you like to ride?" };

describe("responds first", () => {
  test("to a question from the knowledge, and then does what the turn is for", () => {
    const { text, by } = replyTo(["How much is the City model?"], { goal: ask });
    expect(text).toMatch(/The City model costs 2,990 euros\. When would you like to ride\?$/);
    expect(by).toBe("knowledge");
  });

  test("admits what it does not know", () => {
    const says = scripts.says("de");
    const { text } = replyTo(["Gibt es das in Rot?"], { language: "de" });
    expect(says.unknown).toContain(text);
  });

  test("admits in its own words that it knows no price", () => {
    const instructions = INSTRUCTIONS.replaceAll(/The \w+ model costs.*/g, "");
    expect(replyTo(["Was kostet das?"], { instructions, language: "de" }).text).toMatch(/Preis/);
  });

  test("to an angry visitor calmly, but with the answer where there is one", () => {
    expect(scripts.says("en").hostile).toContain(replyTo(["This is stupid"]).text);
  });

  test("to somebody who asks whether it is human with the truth", () => {
    expect(replyTo(["Are you a human?"]).text).toMatch(/AI/);
  });

  test("to a card that was answered", () => {
    const said = ["Yes", { role: "assistant", content: "Your address?" }];
    const { text } = replyTo(said, { visitor: "none", email: "confirmed", goal: ask });
    expect(text).toMatch(/address/);
    expect(text).toContain(ask.text);
  });
});

describe("calls tools", () => {
  test("content that fits what was asked, or that the turn is for, and not twice", () => {
    expect(calls(["How far does the battery last?"])).toEqual([["show_content", { id: "range" }]]);
    expect(calls(["How far does the battery last?"], { shown: ["range"] })).toEqual([]);
    const goal: Goal = { kind: "show", id: "range", title: "The range table" };
    expect(calls(["I see"], { goal })).toEqual([["show_content", { id: "range" }]]);
    expect(replyTo(["I see"], { goal }).text).toContain("The range table");
    expect(calls(["How far does the battery last?"], { goal })).toHaveLength(1);
  });

  test("the card for an address, with the one that the visitor wrote", () => {
    const goal: Goal = { kind: "offer_email" };
    expect(calls(["Okay"], { goal })).toEqual([["ask_email", {}]]);
    expect(calls(["Write to ann@example.com"], { goal })).toEqual([
      ["ask_email", { prefill: "ann@example.com" }],
    ]);
    expect(calls(["Okay"], { goal, tools: [] })).toEqual([]);
    expect(replyTo(["Okay"], { goal }).text).not.toMatch(/summary|send|mail/);
    expect(replyTo(["Okay"], { goal, mail: "follows" }).text).toContain("summary");
  });

  test("the way to a person", () => {
    expect(calls(["I want to talk to a person"])).toEqual([["talk_to_a_person", {}]]);
    expect(calls(["I want to talk to a person"], { tools: [] })).toEqual([]);
  });

  test("the end, after a goodbye", () => {
    for (const because of ["done", "time", "cost"] as const) {
      const goal: Goal = { kind: "wrap_up", because };
      expect(calls(["Good"], { goal })).toEqual([["end_session", {}]]);
      expect(replyTo(["Good"], { goal }).text).toMatch(/oodbye/);
    }
  });

  test("none that is not offered", () => {
    fc.assert(
      fc.property(fc.string(), (said) => {
        expect(calls([said], { tools: [] })).toEqual([]);
      }),
    );
  });

  test("a search where the knowledge is large, and answers from what it found", () => {
    const instructions = INSTRUCTIONS.replace(
      /# Knowledge\n[^]*/,
      "# Knowledge\nUse search_knowledge.",
    );
    const asked = "Which colour is the saddle?";
    const { text, toolCalls } = replyTo([asked], { instructions, goal: ask });
    expect(text).toBe("");
    expect(toolCalls).toEqual([
      { name: "search_knowledge", arguments: { query: "colour saddle" } },
    ]);
    const step = {
      role: "assistant",
      tool_calls: [
        { id: "1", type: "function", function: { name: "search_knowledge", arguments: "{}" } },
      ],
    };
    const result = (content: string) => ({ role: "tool", tool_call_id: "1", content });
    const after = (content: string) => replyTo([asked, step, result(content)], { instructions });
    expect(after("## a.md#Saddle\nThe saddle has the colour of honey.").text).toContain("honey");
    expect(scripts.says("en").unknown).toContain(after("Nothing.").text);
  });
});

test("what was said with a call is not said again after it", () => {
  const step = {
    role: "assistant",
    content: "Here it is.",
    tool_calls: [
      { id: "1", type: "function", function: { name: "show_content", arguments: "{}" } },
    ],
  };
  const done = { role: "tool", tool_call_id: "1", content: "It is on the screen." };
  expect(replyTo(["Show me the range", step, done])).toMatchObject({ text: "", toolCalls: [] });
});

test("whatever was said and whatever the turn is for, something is said", () => {
  const kinds = ["greet", "answer", "offer_email", "pick_up"] as const;
  const goals = fc.constantFrom<Goal>(...kinds.map((kind) => ({ kind })), ask);
  fc.assert(
    fc.property(fc.string(), goals, fc.subarray(TOOLS), (said, goal, tools) => {
      expect(replyTo([said], { goal, tools }).text).not.toBe("");
    }),
  );
});

test("a talk hears other words each time, the same talk always the same", () => {
  const first = replyTo(["Is it red?"]).text;
  const second = replyTo(["Is it red?", first, "Is it blue?"]).text;
  const third = replyTo(["Is it red?", first, "Is it blue?", second, "Is it green?"]).text;
  expect(new Set([first, second, third]).size).toBe(3);
  expect(replyTo(["Is it red?"]).text).toBe(first);
});

test("a turn stays within its words and keeps what it is for", () => {
  const { text } = replyTo(["How far does the battery last?"], { goal: ask, most_words: 12 });
  expect(text).toContain(ask.text);
  const short = replyTo(["What happens to my data? Delete it"], { goal: ask, most_words: 20 }).text;
  expect(short.split(/\s+/).length).toBeLessThanOrEqual(26);
});

test("whole sentences are left out from the end of the response", () => {
  expect(withinWords("One two. Three four. Five six.", "Seven eight?", 6)).toBe(
    "One two. Three four. Seven eight?",
  );
});

test("its first sentence and the goal are always said", () => {
  expect(withinWords("One two three. Four.", "Five six?", 2)).toBe("One two three. Five six?");
  expect(withinWords("", "Five six?", 1)).toBe("Five six?");
});
