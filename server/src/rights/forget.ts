import { forgetEvaluations } from "#evaluation";
import { forgetFollowUps } from "#followup";
import { forgetJobs } from "#platform";
import type { Trx } from "#platform";
import { forgetSessions, holdToForget } from "#sessions";
import type { DoomedSession } from "#sessions";
import { forgetEvents } from "#webhooks";

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
