import type { EvaluationModels, JudgeFailure } from "../judge.ts";
import { CLAIM_CASES, verifyCase } from "./claim-cases.ts";
import type { ClaimCase } from "./claim-cases.ts";
import { compareEvaluation, SCORED_FIELDS } from "./compare-evaluation.ts";
import type { Comparison, ScoredField } from "./compare-evaluation.ts";
import type { Fixture } from "./fixture.ts";
import { judgeAll } from "./judge-all.ts";

/** The agreement of a model, with our prompt and our checks, with careful readers. */
export interface Score {
  /** The number of comparisons in each field, and how many agreed. */
  fields: { field: ScoredField; agreed: number; compared: number }[];
  disagreements: (Omit<Comparison, "agrees"> & { fixture: string })[];
  /** Fixtures that got no evaluation; they count in no field. */
  unjudged: { fixture: string; failure: JudgeFailure }[];
}

export async function scoreFixtures(
  models: EvaluationModels,
  fixtures: Fixture[],
  onJudged: (done: number) => void = () => {},
): Promise<Score> {
  const judged = await judgeAll(models, fixtures, onJudged);
  const score: Score = {
    fields: SCORED_FIELDS.map((field) => ({ field, agreed: 0, compared: 0 })),
    disagreements: [],
    unjudged: [],
  };
  for (const [index, { name, expected }] of fixtures.entries()) {
    const outcome = judged[index]!;
    if ("failure" in outcome) score.unjudged.push({ fixture: name, failure: outcome.failure });
    else count(score, name, compareEvaluation(expected, outcome.checked));
  }
  // One at a time: each takes several requests at once already.
  for (const one of CLAIM_CASES) {
    const verified = await verifyCase(models, one);
    if ("failure" in verified) score.unjudged.push({ fixture: one.name, ...verified });
    else count(score, one.name, [compareClaim(one, verified.isShown)]);
  }
  return score;
}

function compareClaim({ said, says, isShown }: ClaimCase, isBelieved: boolean): Comparison {
  const inWords = (believed: boolean): string => (believed ? "believed" : "not believed");
  return {
    field: "claims",
    which: `"${says}" from "${said}"`,
    agrees: isBelieved === isShown,
    expected: inWords(isShown),
    got: inWords(isBelieved),
  };
}

function count(score: Score, fixture: string, comparisons: Comparison[]): void {
  for (const { agrees, ...comparison } of comparisons) {
    const field = score.fields[SCORED_FIELDS.indexOf(comparison.field)]!;
    field.compared += 1;
    if (agrees) field.agreed += 1;
    else score.disagreements.push({ fixture, ...comparison });
  }
}
