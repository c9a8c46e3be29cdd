import { domainToUnicode } from "node:url";
import type { Db, Trx } from "#platform";
import {
  deleteLogs,
  deleteSessions,
  lockDoomed,
  selectByAddress,
  selectGone,
  selectOutlived,
} from "./forget-store.ts";
import type { DoomedSession, PersonsSession } from "./forget-store.ts";

export type { DoomedSession } from "./forget-store.ts";

/**
 * Holds sessions until the end of the transaction, so that nothing more is written of them; what
 * waits to write finds them gone. Other rooms then forget theirs, and `forgetSessions` comes last.
 */
export async function holdToForget(trx: Trx, sessionIds: string[]): Promise<DoomedSession[]> {
  return lockDoomed(trx, sessionIds);
}

/**
 * Removes sessions with all that this room keeps of them. A live process that carries one loses it:
 * its next write finds no visit.
 */
export async function forgetSessions(trx: Trx, doomed: DoomedSession[]): Promise<void> {
  if (doomed.length === 0) return;
  await deleteLogs(trx, doomed);
  await deleteSessions(trx, doomed);
}

/** Those of these sessions that have been erased. */
export async function erasedAmong(db: Db, sessionIds: string[]): Promise<string[]> {
  return sessionIds.length === 0 ? [] : selectGone(db, sessionIds);
}

/** Settled sessions of one account that are older than its retention allows, the oldest first, at most `most`. */
export async function outlivedSessions(db: Db | Trx, most: number): Promise<DoomedSession[]> {
  return selectOutlived(db, most);
}

/**
 * Sessions that belong to an address in its normal form: as the session's `email`, or as a site wrote
 * it into the metadata key `email` of an imported session. The oldest first within each account.
 */
export async function findPerson(
  db: Db | Trx,
  person: { email: string; accountId?: number | undefined; most: number },
): Promise<PersonsSession[]> {
  const { email, accountId, most } = person;
  const at = email.lastIndexOf("@");
  const written = `${email.slice(0, at)}@${domainToUnicode(email.slice(at + 1))}`;
  return selectByAddress(db, [email, written], { accountId, most });
}
