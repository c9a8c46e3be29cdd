import { failpoint, transact } from "#platform";
import type { Db, JobSender, Trx } from "#platform";
import { endSession, settleSession } from "./session.ts";
import { lockLate, lockVisitOf, selectLate } from "./sweep-store.ts";

/** A session that was unsettled past its deadline, and the result of sweeping it. */
export interface SweptSession {
  id: string;
  outcome: "ended" | "overdue";
}

/**
 * Enforces the deadlines of unsettled sessions, the most overdue first. Sessions whose visitor
 * never connected, left or talked too long are ended; sessions whose evaluation is late settle as
 * `error`, and the evaluation continues as a re-evaluation. Several processes may sweep at once.
 */
export async function sweepDeadlines(
  db: Db,
  jobs: JobSender,
  options: {
    limit: number;
    evaluateWithinSecs: number;
    /** One session that cannot be swept must not block the others. */
    onError: (id: string, error: unknown) => void;
  },
): Promise<SweptSession[]> {
  const swept: SweptSession[] = [];
  for (const id of await selectLate(db, options.limit)) {
    try {
      const outcome = await transact(db, (trx) => sweep(trx, jobs, id, options));
      if (outcome !== undefined) swept.push({ id, outcome });
    } catch (error) {
      options.onError(id, error);
    }
  }
  return swept;
}

async function sweep(
  trx: Trx,
  jobs: JobSender,
  id: string,
  { evaluateWithinSecs }: { evaluateWithinSecs: number },
): Promise<SweptSession["outcome"] | undefined> {
  // Left to the next sweep.
  if (!(await lockVisitOf(trx, id))) return undefined;
  const late = await lockLate(trx, id);
  // Another process has swept it, or the visitor is back.
  if (late === undefined) return undefined;
  if (late.waitedFor === "evaluation") {
    await settleSession(trx, id, { status: "error", reason: "overdue" });
    await failpoint("sweep:settling");
    return "overdue";
  }
  const reason = late.waitedFor === "visitor" ? "visitor_gone" : "max_duration";
  await endSession(trx, jobs, id, { reason, evaluateWithinSecs });
  await failpoint("sweep:settling");
  return "ended";
}
