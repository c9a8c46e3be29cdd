import type { Db } from "#platform";
import { selectFollowUp, selectFollowUps, selectTrouble } from "./follow-up-list-store.ts";

export const FOLLOW_UP_STATES = [
  "waiting",
  "sending",
  "sent",
  "refused",
  "unknown",
  "skipped",
] as const;
export type FollowUpState = (typeof FOLLOW_UP_STATES)[number];

export interface FollowUpFilter {
  accountId?: number;
  state?: FollowUpState;
  /** Ordered since then. */
  since?: Date;
  limit: number;
}

/** The mail of one session. Who it goes to is the session's to say. */
export interface ListedFollowUp {
  sessionId: string;
  accountId: number;
  clientId: string;
  accountName: string;
  state: FollowUpState;
  /** Why it was skipped or refused, or what the mail server said last. */
  reason: string | null;
  /** Attempts that were begun. */
  attempts: number;
  dueAt: Date;
  giveUpAt: Date;
  createdAt: Date;
  finishedAt: Date | null;
}

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
