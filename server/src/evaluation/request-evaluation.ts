import { AppError, queueDepth, transact } from "#platform";
import type { Db, JobSender, Trx } from "#platform";
import { BEHIND_LIVE, readEndedSession, sessionEnded } from "#sessions";
import { evaluate } from "./jobs.ts";
import { countModelAway, hasModelAway, insertPending, reopenModelAway } from "./store.ts";

/** For the erasure of a person, and for retention. */
export { forgetEvaluations } from "./store.ts";

/** Requests older than this are left to the operator: nobody waits for them any more. */
const REOPEN_WITHIN_SECS = 7 * 86_400;

/** Asks for a new evaluation of a settled session. `joined`: one is under way already. */
export async function requestEvaluation(
  trx: Trx,
  jobs: JobSender,
  sessionId: string,
): Promise<"requested" | "joined"> {
  const session = await readEndedSession(trx, sessionId);
  if (session === undefined) {
    throw new AppError("conflict", {
      what: `Session ${sessionId} cannot be evaluated.`,
      why: "It does not exist, has been erased, or its conversation still goes on.",
      fix: "Look at it with `svc sessions show`; it is evaluated by itself when it ends.",
    });
  }
  if (!session.turns.some(({ role }) => role === "user")) {
    throw new AppError("conflict", {
      what: `Session ${sessionId} cannot be evaluated.`,
      why: "The visitor said nothing in it, or its conversation is no longer kept.",
      fix: "There is nothing to do.",
    });
  }
  // Its first evaluation is on its way.
  if (session.settledAt === null) return "joined";
  if ((await insertPending(trx, sessionId)) === undefined) return "joined";
  await jobs.send(trx, evaluate, [{ sessionId }], { priority: BEHIND_LIVE });
  return "requested";
}

/** Evaluations that are not finished. */
export interface EvaluationBacklog {
  waiting: number;
  running: number;
  /** No model could be reached, whether they still wait or have failed. They are retried until one answers. */
  modelAway: number;
}

export async function evaluationBacklog(db: Db): Promise<EvaluationBacklog> {
  const depth = await queueDepth(db);
  const counts = [sessionEnded, evaluate].map(({ name }) => depth.get(name));
  return {
    waiting: counts.reduce((sum, count) => sum + (count?.waiting ?? 0), 0),
    running: counts.reduce((sum, count) => sum + (count?.running ?? 0), 0),
    modelAway: await countModelAway(db, REOPEN_WITHIN_SECS),
  };
}

/** Returns whether `retryModelAway` would find any. */
export async function isModelAwayDue(db: Db): Promise<boolean> {
  return hasModelAway(db, REOPEN_WITHIN_SECS);
}

/** Retries evaluations that failed because no model could be reached. Returns how many. */
export async function retryModelAway(db: Db, jobs: JobSender, limit: number): Promise<number> {
  return transact(db, async (trx) => {
    const sessionIds = await reopenModelAway(trx, limit, REOPEN_WITHIN_SECS);
    if (sessionIds.length > 0) {
      await jobs.send(
        trx,
        evaluate,
        sessionIds.map((sessionId) => ({ sessionId })),
        { priority: BEHIND_LIVE },
      );
    }
    return sessionIds.length;
  });
}
