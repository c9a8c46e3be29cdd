import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Answer, Dropped } from "./answer.ts";
import { HONEST, RUBRIC } from "./check/check-under-test.ts";
import { readAnswer } from "./read-answer.ts";

function read(answer: unknown): Answer {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  const found = readAnswer(text, RUBRIC);
  if ("problems" in found) throw new Error(found.problems.join(" "));
  return found.answer;
}

function problems(answer: unknown): string[] {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  const found = readAnswer(text, RUBRIC);
  return "problems" in found ? found.problems : [];
}

function droppedFrom(change: object): Dropped[] {
  return read({ ...HONEST, ...change }).dropped;
}

const malformed = (where: string): Dropped => ({ where, why: "malformed" });
const need = HONEST.insights.main_need;

describe("an answer in the asked form", () => {
  it("is read", () => {
    const { insights, questions, ...rest } = read(HONEST);
    expect(Object.fromEntries(insights)).toEqual(HONEST.insights);
    expect([...questions.keys()]).toEqual(["team_size", "tool", "timeline"]);
    expect(questions.get("timeline")).toEqual({ asked: undefined, answered: undefined });
    expect(rest).toEqual({
      toTheJudge: [],
      language: "en",
      customerName: HONEST.customer_name,
      prospectQuestions: HONEST.prospect_questions,
      objections: HONEST.objections,
      qualification: {
        claimed: "qualified",
        reasoning: HONEST.qualification.reasoning,
        items: Object.entries(HONEST.qualification.items).map(([key, item]) => ({ key, ...item })),
      },
      conversationSummary: HONEST.conversation_summary,
      summary: HONEST.summary,
      prospectSummary: HONEST.prospect_summary,
      dropped: [],
    });
  });

  // L4
  it.each(["```json\n$\n```", "```\n$\n```", "\n\n```JSON\r\n$\n  ```\n", "  $\n"])(
    "may stand in a block or between spaces: %j",
    (frame) => {
      expect(read(frame.replace("$", () => JSON.stringify(HONEST))).dropped).toEqual([]);
    },
  );

  it("has texts that can be stored", () => {
    const { summary, insights } = read(
      JSON.stringify({
        ...HONEST,
        summary: " a\0b\uD800 ",
        insights: { main_need: { ...need, value: "\uDC00" } },
      }),
    );
    expect(summary).toBe("a\uFFFDb\uFFFD");
    expect(insights.get("main_need")?.value).toBe("\uFFFD");
  });
});

// L4
describe("an answer that must be asked for again", () => {
  it.each([
    ["empty", "", "The answer is no JSON."],
    ["prose", "I cannot judge this.", "The answer is no JSON."],
    ["cut off", '{"language":"en"', "The answer is no JSON."],
    ["in a block, behind prose", "Here it is:\n```json\n{}\n```", "The answer is no JSON."],
    ["null", "null", "The answer is no JSON object."],
    ["a list", "[]", "The answer is no JSON object."],
    ["a text", '"text"', "The answer is no JSON object."],
    ["a loop", "x".repeat(200_001), "The answer is longer than 200000 characters."],
    ["10 MB", JSON.stringify({ ...HONEST, summary: "x".repeat(1e7) }), "The answer is longer than"],
  ])("is not readable: %s", (_what, text, problem) => {
    expect(problems(text)).toEqual([expect.stringContaining(problem)]);
  });

  it("lacks a part, or has one of the wrong kind or size", () => {
    const wrong = (change: object): string => problems({ ...HONEST, ...change }).join(" ");
    expect(wrong({ questions: undefined })).toMatch(/^"questions" must be an object/);
    expect(wrong({ insights: [] })).toMatch(/^"insights" must be an object/);
    expect(wrong({ prospect_questions: {} })).toBe('"prospect_questions" must be a list.');
    expect(wrong({ objections: null })).toBe('"objections" must be a list.');
    expect(wrong({ qualification: null })).toMatch(/^"qualification" must be an object/);
    expect(wrong({ summary: null })).toBe('"summary" must be a text of 1 to 4000 characters.');
    expect(wrong({ summary: " \n" })).toMatch(/^"summary" must be/);
    expect(wrong({ prospect_summary: "x".repeat(4_001) })).toMatch(/^"prospect_summary" must be/);
  });

  it("is told all that is wrong, and nothing of what it says", () => {
    const found = problems({ questions: "Ada", insights: 1, summary: ["Ada"], Ada: "Ada" });
    expect(found).toHaveLength(8);
    expect(found.join()).not.toContain("Ada");
  });

  it("needs no qualification where none is configured", () => {
    const { qualification: _, ...rubric } = RUBRIC;
    const { qualification: __, ...answer } = HONEST;
    expect(readAnswer(JSON.stringify(answer), rubric)).toHaveProperty("answer");
    expect(readAnswer(JSON.stringify(HONEST), rubric)).toHaveProperty(
      "answer.qualification",
      undefined,
    );
  });
});

// L5
describe("a claim that is not in the asked form", () => {
  it.each<[string, object, string]>([
    ["no turn", { turn: undefined }, "insights.main_need"],
    ["a turn in words", { turn: "four" }, "insights.main_need"],
    ["half a turn", { turn: 1.5 }, "insights.main_need"],
    ["a turn below zero", { turn: -1 }, "insights.main_need"],
    ["a turn beyond numbers", { turn: 1e300 }, "insights.main_need"],
    ["null for its value", { value: null }, "insights.main_need"],
    ["no value", { value: "" }, "insights.main_need"],
    ["a list for its quote", { quote: ["a"] }, "insights.main_need"],
    ["a quote that is too long", { quote: "x ".repeat(1_001) }, "insights.main_need"],
    ["a value that is too long", { value: "x".repeat(1_001) }, "insights.main_need"],
  ])("is dropped alone: %s", (_what, change, where) => {
    const insights = { ...HONEST.insights, main_need: { ...need, ...change } };
    const { dropped, ...answer } = read({ ...HONEST, insights });
    expect(dropped).toEqual([malformed(where)]);
    expect([...answer.insights.keys()]).toEqual(["site"]);
  });

  it("is named by its place", () => {
    expect(droppedFrom({ language: 7 })).toEqual([malformed("language")]);
    expect(droppedFrom({ customer_name: "Ada" })).toEqual([malformed("customer_name")]);
    expect(droppedFrom({ questions: { tool: 7 } })).toEqual([malformed("questions.tool")]);
    expect(droppedFrom({ questions: { tool: { asked: 7 } } })).toEqual([
      malformed("questions.tool.asked"),
    ]);
    expect(droppedFrom({ objections: [7, HONEST.objections[0]] })).toEqual([
      malformed("objections[0]"),
    ]);
    const [question] = HONEST.prospect_questions;
    expect(droppedFrom({ prospect_questions: [{ ...question, answer: "90" }] })).toEqual([
      malformed("prospect_questions[0].answer"),
    ]);
  });

  it("keeps the question when only the reply is wrong", () => {
    const [question] = HONEST.prospect_questions;
    const { prospectQuestions } = read({
      ...HONEST,
      prospect_questions: [{ ...question, answer: { text: null } }],
    });
    expect(prospectQuestions).toEqual([{ ...question, answer: undefined }]);
  });

  it("leaves the verdict open: an unknown one, too many reasons, or one that is none", () => {
    const { items, reasoning } = HONEST.qualification;
    const judged = (change: object): unknown => {
      const qualified = { ...items.qualified, ...change };
      return read({ ...HONEST, qualification: { items: { ...items, qualified }, reasoning } })
        .qualification;
    };
    expect(judged({ verdict: "maybe" })).toBeUndefined();
    expect(judged({ because: [{ turn: 2 }] })).toBeUndefined();
    expect(judged({ because: Array(21).fill(need) })).toBeUndefined();
    expect(judged({ because: undefined })).toBeUndefined();
  });

  it("is one too many in a list", () => {
    const objections = Array(60).fill(HONEST.objections[0]);
    expect(droppedFrom({ objections })).toEqual([malformed("objections")]);
    expect(read({ ...HONEST, objections }).objections).toHaveLength(50);
  });

  it("is left behind under a key that is not configured", () => {
    const text = JSON.stringify({ ...HONEST, insights: "$" }).replace(
      '"$"',
      () => `{"__proto__":${JSON.stringify(need)},"mood":1,"constructor":2}`,
    );
    const { insights, dropped } = read(text);
    expect(insights.size).toBe(0);
    expect(dropped).toEqual([]);
  });
});

it("never throws, whatever the text", () => {
  const nested = `{"questions":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
  expect(problems(nested).length).toBeGreaterThan(0);
  expect(problems(`{"\\n":${"[".repeat(50_000)}${"]".repeat(50_000)}}`)).toHaveLength(1);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((json) => `\`\`\`json\n${json}\n\`\`\``),
      ),
      (text) => {
        const found = readAnswer(text, RUBRIC);
        expect("problems" in found && found.problems.length).toBeGreaterThan(0);
      },
    ),
  );
});
