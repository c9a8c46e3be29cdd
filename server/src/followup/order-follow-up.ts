import type { OnEvaluated } from "#evaluation";
import type { JobSender, Trx } from "#platform";
import type { AddressMarks } from "./address-marks.ts";
import { followUp } from "./jobs.ts";
import { deleteFollowUps, insertFollowUp } from "./store.ts";

/**
 * Joins the transaction that writes an evaluation: the mail is ordered if, and only if, the
 * evaluation is written. Only the first of a session orders one, if its account sends mails, its
 * agent does not object, and there is an address and something to say.
 */
export function orderFollowUp(jobs: JobSender, { marks }: AddressMarks): OnEvaluated {
  return async (trx, { session, version }) => {
    if (session.email === null || session.email_verified === false) return;
    const order = { sessionId: session.id, version, mark: marks(session.email)[0] };
    if (!(await insertFollowUp(trx, order))) return;
    await jobs.send(trx, followUp, [{ sessionId: session.id, attempts: 0 }]);
  };
}

/** Removes the mails of these sessions. Objections to further mail stay: they outlive the sessions. */
export async function forgetFollowUps(trx: Trx, sessionIds: string[]): Promise<void> {
  await deleteFollowUps(trx, sessionIds);
}
