import { describe, expect, it } from "vitest";
import { Evaluation } from "./evaluation.ts";

function accepts(evaluation: object): boolean {
  return Evaluation.safeParse(evaluation).success;
}

describe("an evaluation", () => {
  it("holds any of its keys, but at least one", () => {
    expect(accepts({})).toBe(false);
    expect(accepts({ language: "en" })).toBe(true);
    expect(accepts({ mood: "good" })).toBe(false);
  });

  it("has texts that say something", () => {
    const keys = ["language", "customer_name", "prospect_summary", "summary"];
    expect(keys.filter((key) => accepts({ [key]: "words" }))).toEqual(keys);
    expect(keys.filter((key) => accepts({ [key]: "" }) || accepts({ [key]: 1 }))).toEqual([]);
  });

  it("qualifies with one of three statuses and a reasoning", () => {
    const statuses = ["qualified", "disqualified", "not_enough_data"];
    const given = [...statuses, "maybe", "", undefined];
    expect(
      given.filter((status) => accepts({ qualification: { status, reasoning: "Because." } })),
    ).toEqual(statuses);
    expect(accepts({ qualification: { status: "qualified" } })).toBe(true);
    expect(accepts({ qualification: { reasoning: "Because." } })).toBe(false);
  });

  it("maps each question's key to what became of it", () => {
    const asked = { was_asked: true, was_answered: false };
    expect(accepts({ questions: { team_size: { ...asked, answer: "25" } } })).toBe(true);
    expect(accepts({ questions: { team_size: asked } })).toBe(true);
    expect(accepts({ questions: { team_size: { was_asked: true } } })).toBe(false);
    expect(accepts({ questions: { team_size: { ...asked, answer: "" } } })).toBe(false);
    expect(accepts({ questions: {} })).toBe(false);
  });

  it("maps each insight's key to a value and its evidence", () => {
    expect(accepts({ insights: { need: { value: "Speed", evidence: "We need speed" } } })).toBe(
      true,
    );
    expect(accepts({ insights: { need: { value: "Speed" } } })).toBe(false);
    expect(accepts({ insights: { need: { value: "Speed", evidence: "" } } })).toBe(false);
    expect(accepts({ insights: {} })).toBe(false);
  });

  it("keeps question and insight keys called __proto__", () => {
    const text =
      '{"questions":{"__proto__":{"was_asked":true,"was_answered":false}},"insights":{"__proto__":{"value":"a","evidence":"b"}}}';
    expect(JSON.stringify(Evaluation.parse(JSON.parse(text)))).toBe(text);
  });

  it("lists the prospect's questions with their answers", () => {
    expect(accepts({ prospect_questions: [{ question: "How much?", answer: "90." }] })).toBe(true);
    expect(accepts({ prospect_questions: [{ question: "How much?" }] })).toBe(true);
    expect(accepts({ prospect_questions: [{ answer: "90." }] })).toBe(false);
    expect(accepts({ prospect_questions: [] })).toBe(false);
  });

  it("lists objections with their responses", () => {
    expect(accepts({ objections: [{ objection: "Too dear.", response: "Start small." }] })).toBe(
      true,
    );
    expect(accepts({ objections: [{ objection: "Too dear." }] })).toBe(true);
    expect(accepts({ objections: [{ response: "Start small." }] })).toBe(false);
    expect(accepts({ objections: [] })).toBe(false);
  });
});
