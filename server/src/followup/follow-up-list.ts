import type { Db } from "#platform";
import { selectFollowUp, selectFollowUps, selectTrouble } from "./follow-up-list-store.ts";
import type { FollowUpFilter, ListedFollowUp } from "./follow-up-list-store.ts";

export { FOLLOW_UP_STATES } from "./follow-up-list-store.ts";
export type { FollowUpState, FollowUpFilter, ListedFollowUp } from "./follow-up-list-store.ts";

/** The newest first. */
export async function listFollowUps(db: Db, filter: FollowUpFilter): Promise<ListedFollowUp[]> {
  return selectFollowUps(db, filter);
}

/** Undefined for a session that none was ordered for. */
export async function followUpOf(db: Db, sessionId: string): Promise<ListedFollowUp | undefined> {
  return selectFollowUp(db, sessionId);
}

/** Accounts that have mails on, and mails of the last 7 days that may or may not have arrived. */
export async function countMailTrouble(db: Db): Promise<{ accounts: number; unknown: number }> {
  return selectTrouble(db);
}
