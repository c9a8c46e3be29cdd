import { setTimeout as delay } from "node:timers/promises";
import { orderEvaluation, selectOutcome } from "#evaluation";
import type { EvaluationOutcome } from "#evaluation";
import { AppError, hasRunner } from "#platform";
import { tellSession } from "#sessions";
import type { OneEvaluation } from "../../pages/evaluation-page.ts";
import { EXIT } from "../../terminal/explain-error.ts";
import type { Operator } from "../../operator.ts";

/** A pipeline that runs takes a job within a second, and one that is restarted is back by then. */
const TAKEN_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 300;

/** Asks for a new evaluation and follows it to its end. */
export async function evaluateOne(
  operator: Operator,
  sessionId: string,
  { wait }: { wait: boolean },
): Promise<OneEvaluation> {
  const db = operator.db();
  const { session } = await tellSession(db, sessionId);
  const request = await orderEvaluation(db, operator.jobs(), operator.actor, session);
  const asked = await outcomeOf(operator, session.id);
  if (!wait) return toOutput(session.id, request, asked, "not_awaited");
  const found = await follow(operator, session.id, asked.version);
  operator.progress(1, 1, "evaluation");
  return toOutput(
    session.id,
    request,
    found,
    found.state === "pending" ? "not_taken" : found.state,
  );
}

export function exitCodeOfOne({ outcome }: OneEvaluation): number {
  if (outcome === "not_taken") return EXIT.unavailable;
  return outcome === "failed" ? EXIT.refused : EXIT.done;
}

/** Until it is finished. It is still pending when nobody is there to take it. */
async function follow(
  operator: Operator,
  sessionId: string,
  version: number,
): Promise<EvaluationOutcome> {
  const startedMs = operator.clock.monotonicMs();
  for (;;) {
    const found = await outcomeOf(operator, sessionId, version);
    if (found.state !== "pending") return found;
    const waitedMs = operator.clock.monotonicMs() - startedMs;
    if (waitedMs > TAKEN_WITHIN_MS && !(await hasRunner(operator.db()))) return found;
    const why = found.timesAway === 0 ? "" : `: the model was away ${found.timesAway} times`;
    operator.progress(Math.floor(waitedMs / 1_000), undefined, `s${why}`);
    await delay(LOOK_EVERY_MS);
  }
}

async function outcomeOf(
  operator: Operator,
  sessionId: string,
  version?: number,
): Promise<EvaluationOutcome> {
  const found = await selectOutcome(operator.db(), sessionId, version);
  if (found !== undefined) return found;
  throw new AppError("not_found", {
    what: `Session ${sessionId} is gone.`,
    why: "It was erased while its evaluation was under way.",
    fix: "There is nothing to do.",
  });
}

function toOutput(
  sessionId: string,
  request: OneEvaluation["request"],
  found: EvaluationOutcome,
  outcome: OneEvaluation["outcome"],
): OneEvaluation {
  const { finishedAt, requestedAt, model, inputTokens, outputTokens, costMicros } = found;
  return {
    session_id: sessionId,
    request,
    outcome,
    version: found.version,
    status: found.status,
    ...(finishedAt !== null && {
      took_secs: (finishedAt.getTime() - requestedAt.getTime()) / 1_000,
    }),
    ...(model !== null && { model }),
    ...(inputTokens !== null && { input_tokens: inputTokens }),
    ...(outputTokens !== null && { output_tokens: outputTokens }),
    ...(costMicros !== null && { cost_micros: costMicros }),
    ...(found.summary !== null && { summary: found.summary }),
    ...(found.evaluation !== null && { evaluation: { ...found.evaluation } }),
    dropped: found.dropped ?? [],
    ...(found.failure !== null && { failure: found.failure }),
  };
}
