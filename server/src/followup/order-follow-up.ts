import type { OnEvaluated } from "#evaluation";
import { defineJob } from "#platform";
import type { Db, Job, JobSender, Trx } from "#platform";
import * as z from "zod";
import type { AddressMarks } from "./address-marks.ts";
import {
  deleteErasedMails,
  deleteFollowUps,
  insertFollowUp,
  selectFollowUp,
  selectFollowUps,
  selectIsReadable,
  selectTrouble,
  setConfirmed,
} from "./store.ts";
import type { FollowUpFilter, ListedFollowUp } from "./store.ts";

export { FOLLOW_UP_STATES } from "./store.ts";
export type { FollowUpState, FollowUpFilter, ListedFollowUp } from "./store.ts";

/** One attempt to send a session's mail; `attempts` counts those before it. */
export const followUp: Job<{ sessionId: string; attempts: number }> = defineJob({
  name: "follow-up",
  payload: z.strictObject({ sessionId: z.uuid(), attempts: z.int().min(0) }),
  // Two minutes for the mail server, and time to record its answer.
  expireInSecs: 150,
});

/**
 * Joins the transaction that writes an evaluation, so that the mail is ordered if and only if the
 * evaluation is written. Only the first evaluation of a session orders one, provided that the
 * account sends mails, the agent does not object, and there are an address and a summary.
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

/** Forgets that mails of erased sessions were sent, once they count no more. */
export async function forgetErasedMails(db: Db): Promise<void> {
  await deleteErasedMails(db);
}

/** The newest first. */
export async function listFollowUps(db: Db, filter: FollowUpFilter): Promise<ListedFollowUp[]> {
  return selectFollowUps(db, filter);
}

/** Undefined when no mail was ordered for the session. */
export async function followUpOf(db: Db, sessionId: string): Promise<ListedFollowUp | undefined> {
  return selectFollowUp(db, sessionId);
}

/** Whether the rights link of the session's mail shows what was said. */
export async function isTranscriptReadable(db: Db, sessionId: string): Promise<boolean> {
  return selectIsReadable(db, sessionId);
}

/** The reader of the session's mail confirmed that the conversation was theirs. */
export async function confirmTranscript(db: Db, sessionId: string): Promise<void> {
  await setConfirmed(db, sessionId);
}

/**
 * The number of accounts that send mails, and of mails of the last 7 days that may or may not have
 * arrived.
 */
export async function countMailTrouble(db: Db): Promise<{ accounts: number; unknown: number }> {
  return selectTrouble(db);
}
