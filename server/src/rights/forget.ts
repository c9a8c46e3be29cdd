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

/** Removes sessions from every room and from the queue, in one transaction. Those already gone are passed over. */
export async function forget(trx: Trx, sessionIds: string[]): Promise<Forgotten> {
  // A run that writes holds its job first and its session then. In the other order each would wait for the other.
  await forgetJobs(trx, "sessionId", sessionIds);
  const sessions = await holdToForget(trx, sessionIds);
  // What that wait let through may have sent the next job.
  await forgetJobs(trx, "sessionId", sessionIds);
  const ids = sessions.map(({ id }) => id);
  const deliveriesCancelled = await forgetEvents(trx, ids);
  await forgetFollowUps(trx, ids);
  await forgetEvaluations(trx, ids);
  await forgetSessions(trx, sessions);
  return { sessions, deliveriesCancelled };
}

/**
 * Removes a batch of the sessions that their account keeps no longer, and says how many there were.
 * One process at a time: where another is at it, there is nothing to do.
 */
export async function retainOnce(db: Db, most: number): Promise<number> {
  return transact(db, async (trx) => {
    if (!(await tryRetentionLock(trx))) return 0;
    const outlived = await outlivedSessions(trx, most);
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
