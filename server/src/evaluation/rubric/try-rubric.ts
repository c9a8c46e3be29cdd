import type { Evaluation, QualificationStatus } from "@svc/contract/types";
import type { Db } from "#platform";
import type { Rubric } from "../rubric-of.ts";
import type { EvaluationModels, JudgeFailure } from "../judge.ts";
import { selectNewestEvaluated } from "../rubric-store.ts";
import { judgeAll } from "./judge-all.ts";

/** The result of a changed rubric for a session that has been evaluated before. */
export interface TriedSession {
  id: string;
  startedAt: Date;
  /** Absent when no model answered. */
  change?: EvaluationChange;
  failure?: JudgeFailure;
}

/** A change in an evaluation. Wording is not compared, because no two answers are worded alike. */
export interface EvaluationChange {
  qualification: { from: QualificationStatus; to: QualificationStatus };
  answered: KeyChange;
  insights: KeyChange;
}

/** Keys that only the new evaluation has, and keys that only the old one has. */
export interface KeyChange {
  gained: string[];
  lost: string[];
}

/** Judges the newest evaluated sessions of an agent again. Stores nothing and tells nobody. */
export async function tryRubric(
  db: Db,
  models: EvaluationModels,
  agent: { accountId: number; agentId: string },
  options: { rubric: Rubric; last: number; onJudged?: (done: number, total: number) => void },
): Promise<TriedSession[]> {
  const { rubric, last, onJudged } = options;
  const sessions = await selectNewestEvaluated(db, agent, last);
  const cases = sessions.map(({ conversation }) => ({ rubric, conversation }));
  const judged = await judgeAll(models, cases, (done) => onJudged?.(done, cases.length));
  return sessions.map(({ id, startedAt, evaluation }, index) => {
    const outcome = judged[index]!;
    return {
      id,
      startedAt,
      ...("failure" in outcome
        ? { failure: outcome.failure }
        : { change: changeOf(evaluation, outcome.checked.evaluation) }),
    };
  });
}

export function changeOf(before: Evaluation, after: Evaluation): EvaluationChange {
  return {
    qualification: { from: statusOf(before), to: statusOf(after) },
    answered: keyChange(answeredKeys(before), answeredKeys(after)),
    insights: keyChange(Object.keys(before.insights ?? {}), Object.keys(after.insights ?? {})),
  };
}

/** An evaluation without a qualification says nothing either way. */
function statusOf({ qualification }: Evaluation): QualificationStatus {
  return qualification?.status ?? "not_enough_data";
}

function answeredKeys({ questions = {} }: Evaluation): string[] {
  return Object.entries(questions).flatMap(([key, { was_answered }]) => (was_answered ? key : []));
}

function keyChange(before: string[], after: string[]): KeyChange {
  return {
    gained: after.filter((key) => !before.includes(key)),
    lost: before.filter((key) => !after.includes(key)),
  };
}
