import type { Evaluation } from "@svc/contract/types";
import type { Exchange, Expected } from "./fixture.ts";
import { fits, inWords } from "./wording.ts";
import type { Wording } from "./wording.ts";

/** The fields over which agreement is counted, in the order in which they are shown. */
export const SCORED_FIELDS = [
  "language",
  "customer_name",
  "qualification.status",
  "was_asked",
  "was_answered",
  "answers",
  "insights",
  "prospect_questions",
  "objections",
  "summaries",
  "claims",
] as const;

export type ScoredField = (typeof SCORED_FIELDS)[number];

/** An expected value beside the actual one. */
export interface Comparison {
  field: ScoredField;
  /** Which of them, where a field has several: a key, a place in a list, the name of a summary. */
  which?: string;
  agrees: boolean;
  expected: string;
  got: string;
}

/** Compares an evaluation with the expected one, field by field. */
export function compareEvaluation(
  expected: Expected,
  { summary, evaluation }: { summary: string | undefined; evaluation: Evaluation },
): Comparison[] {
  const { summaries } = expected;
  const status = evaluation.qualification?.status;
  return [
    exactly("language", expected.language, evaluation.language),
    worded("customer_name", expected.customerName, evaluation.customer_name),
    exactly("qualification.status", expected.qualification, status),
    ...compareQuestions(expected.questions, evaluation.questions),
    ...compareInsights(expected.insights, evaluation.insights),
    ...compareExchanges(
      "prospect_questions",
      expected.prospectQuestions,
      (evaluation.prospect_questions ?? []).map(({ question, answer }) => [question, answer]),
    ),
    ...compareExchanges(
      "objections",
      expected.objections,
      (evaluation.objections ?? []).map(({ objection, response }) => [objection, response]),
    ),
    worded("summaries", summaries.summary, summary, "summary"),
    worded("summaries", summaries.evaluation, evaluation.summary, "evaluation.summary"),
    worded("summaries", summaries.prospect, evaluation.prospect_summary, "prospect_summary"),
  ];
}

function compareQuestions(
  expected: Expected["questions"],
  questions: Evaluation["questions"] = {},
): Comparison[] {
  const got = new Map(Object.entries(questions));
  return keysOf(expected, got).flatMap((key) => {
    const wanted = expected.get(key);
    const outcome = got.get(key);
    const isWantedAnswered = wanted && wanted.answer !== undefined;
    return [
      exactly("was_asked", wanted?.asked, outcome?.was_asked, key),
      exactly("was_answered", isWantedAnswered, outcome?.was_answered, key),
      worded("answers", wanted?.answer, outcome?.answer, key),
    ];
  });
}

function compareInsights(
  expected: Expected["insights"],
  insights: Evaluation["insights"] = {},
): Comparison[] {
  const got = new Map(Object.entries(insights));
  return keysOf(expected, got).map((key) =>
    worded("insights", expected.get(key), got.get(key)?.value, key),
  );
}

/** Each expected exchange takes the one that fits it best; what nothing expected is left over. */
function compareExchanges(
  field: ScoredField,
  expected: Exchange[],
  got: [said: string, reply: string | undefined][],
): Comparison[] {
  const left = [...got];
  const compared = expected.map(({ said, reply }, index): Comparison => {
    const candidates = left.filter(([text]) => fits(said, text));
    const best = candidates.find((one) => fits(reply, one[1])) ?? candidates[0];
    if (best !== undefined) left.splice(left.indexOf(best), 1);
    return {
      field,
      which: String(index + 1),
      agrees: best !== undefined && fits(reply, best[1]),
      expected: `${inWords(said)} → ${inWords(reply)}`,
      got: best === undefined ? NOTHING : `${best[0]} → ${best[1] ?? NOTHING}`,
    };
  });
  return [
    ...compared,
    ...left.map(([said, reply]): Comparison => ({
      field,
      agrees: false,
      expected: NOTHING,
      got: `${said} → ${reply ?? NOTHING}`,
    })),
  ];
}

const NOTHING = inWords(undefined);

function exactly(
  field: ScoredField,
  expected: string | boolean | undefined,
  got: string | boolean | undefined,
  which?: string,
): Comparison {
  return {
    field,
    ...(which !== undefined && { which }),
    agrees: expected === got,
    expected: String(expected ?? NOTHING),
    got: String(got ?? NOTHING),
  };
}

function worded(
  field: ScoredField,
  expected: Wording | undefined,
  got: string | undefined,
  which?: string,
): Comparison {
  return {
    field,
    ...(which !== undefined && { which }),
    agrees: fits(expected, got),
    expected: inWords(expected),
    got: got ?? NOTHING,
  };
}

/** A key that only one side has is compared too: one that was never configured must not appear. */
function keysOf(expected: Map<string, unknown>, got: Map<string, unknown>): string[] {
  return [...new Set([...expected.keys(), ...got.keys()])];
}
