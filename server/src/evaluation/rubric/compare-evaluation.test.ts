import type { Evaluation } from "@svc/contract/types";
import { describe, expect, it } from "vitest";
import { compareEvaluation } from "./compare-evaluation.ts";
import type { Expected } from "./fixture.ts";

const says = (...phrases: string[]) => ({ says: phrases, never: [] });

const expected: Expected = {
  language: "en",
  customerName: undefined,
  qualification: "qualified",
  questions: new Map([
    ["team", { asked: true, answer: says("12") }],
    ["start", { asked: false, answer: undefined }],
  ]),
  insights: new Map([["pain", says("Sunday")]]),
  prospectQuestions: [
    { said: says("offline"), reply: says("yes") },
    { said: says("price"), reply: undefined },
  ],
  objections: [],
  summaries: { summary: says("12"), evaluation: says("12"), prospect: says("you") },
};

const right: Evaluation = {
  language: "en",
  qualification: { status: "qualified" },
  questions: {
    team: { was_asked: true, was_answered: true, answer: "12 people" },
    start: { was_asked: false, was_answered: false },
  },
  insights: { pain: { value: "Sunday evenings", evidence: "every Sunday" } },
  prospect_questions: [
    { question: "What is the price?" },
    { question: "Offline?", answer: "Yes." },
  ],
  summary: "12 people.",
  prospect_summary: "Thank you.",
};

function disagreements(
  evaluation: Evaluation,
  summary: string | undefined = "12 people.",
): string[] {
  return compareEvaluation(expected, { summary, evaluation })
    .filter(({ agrees }) => !agrees)
    .map(({ field, which, got }) => `${field} ${which ?? "-"}: ${got}`);
}

describe("comparing an evaluation with the expected one", () => {
  it("agrees with a right one, whatever its wording and order", () => {
    expect(disagreements(right)).toEqual([]);
    expect(compareEvaluation(expected, { summary: "12", evaluation: right })).toHaveLength(15);
  });

  it.each<[string, Evaluation, string[]]>([
    ["another language", { ...right, language: "de" }, ["language -: de"]],
    ["a name from nowhere", { ...right, customer_name: "Tom" }, ["customer_name -: Tom"]],
    [
      "another verdict",
      { ...right, qualification: { status: "not_enough_data" } },
      ["qualification.status -: not_enough_data"],
    ],
    [
      "a wrong answer",
      {
        ...right,
        questions: {
          ...right.questions,
          team: { was_asked: false, was_answered: true, answer: "20 people" },
        },
      },
      ["was_asked team: false", "answers team: 20 people"],
    ],
    [
      "an answer too many",
      {
        ...right,
        questions: {
          ...right.questions,
          start: { was_asked: false, was_answered: true, answer: "May" },
        },
      },
      ["was_answered start: true", "answers start: May"],
    ],
    [
      "a question that nobody configured",
      {
        ...right,
        questions: { ...right.questions, shoe: { was_asked: false, was_answered: false } },
      },
      ["was_asked shoe: false", "was_answered shoe: false"],
    ],
    [
      "an insight that nobody configured",
      { ...right, insights: { ...right.insights, shoe: { value: "43", evidence: "43" } } },
      ["insights shoe: 43"],
    ],
    [
      "an exchange too many",
      { ...right, objections: [{ objection: "Too dear." }] },
      ["objections -: Too dear. → nothing"],
    ],
    [
      "a reply that is missing, and one that nobody gave",
      {
        ...right,
        prospect_questions: [{ question: "Offline?" }, { question: "The price?", answer: "9" }],
      },
      ["prospect_questions 1: Offline? → nothing", "prospect_questions 2: The price? → 9"],
    ],
  ])("tells %s", (_, evaluation, told) => {
    expect(disagreements(evaluation)).toEqual(told);
  });

  it("misses summaries that are not there", () => {
    const { summary: _, prospect_summary: __, ...bare } = right;
    expect(disagreements(bare, "")).toHaveLength(3);
  });
});
