import { forgetEvaluations } from "#evaluation";
import { forgetFollowUps } from "#followup";
import { forgetJobs, newUuid, transact } from "#platform";
import type { Db, Trx } from "#platform";
import { forgetSessions, holdToForget, outlivedSessions } from "#sessions";
import type { DoomedSession } from "#sessions";
import { forgetEvents } from "#webhooks";
import { addToDay, tryRetentionLock } from "./store.ts";

export interface Forgotten {
  sessions: DoomedSession[];
  /** Deliveries that were waiting or under way. */
  deliveriesCancelled: number;
}

/**
 * Removes sessions from every module and from the queue, in one transaction. Sessions that are
 * already gone are skipped.
 */
export async function forget(trx: Trx, sessionIds: string[]): Promise<Forgotten> {
  // A running job locks its job first and its session second. Locking in the other order could deadlock with it.
  await forgetJobs(trx, "sessionId", sessionIds);
  const sessions = await holdToForget(trx, sessionIds);
  // A job that finished while we waited for the session may have sent the next one.
  await forgetJobs(trx, "sessionId", sessionIds);
  const ids = sessions.map(({ id }) => id);
  const deliveriesCancelled = await forgetEvents(trx, ids);
  await forgetFollowUps(trx, ids);
  await forgetEvaluations(trx, ids);
  await forgetSessions(trx, sessions);
  return { sessions, deliveriesCancelled };
}

/**
 * Removes a batch of sessions that are past their account's retention, and returns how many. Only
 * one process does this at a time; for the others there is nothing to do.
 */
export async function retainOnce(db: Db, limit: number): Promise<number> {
  return transact(db, async (trx) => {
    if (!(await tryRetentionLock(trx))) return 0;
    const outlived = await outlivedSessions(trx, limit);
    const { sessions, deliveriesCancelled } = await forget(
      trx,
      outlived.map(({ id }) => id),
    );
    const [first] = sessions;
    if (first === undefined) return 0;
    await addToDay(trx, {
      id: newUuid(),
      accountId: first.accountId,
      sessions: sessions.length,
      deliveriesCancelled,
    });
    return sessions.length;
  });
}
