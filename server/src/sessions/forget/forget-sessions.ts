import { domainToUnicode } from "node:url";
import type { Db, Trx } from "#platform";
import {
  deleteLogs,
  deleteSessions,
  lockDoomed,
  selectByAddress,
  selectOutlived,
} from "./forget-store.ts";
import type { DoomedSession, PersonsSession } from "./forget-store.ts";

export type { DoomedSession } from "./forget-store.ts";

/**
 * Locks sessions until the transaction ends, so that nothing more is written for them; whoever
 * waits to write finds them gone. Other modules then delete their data, and `forgetSessions` comes
 * last.
 */
export async function holdToForget(trx: Trx, sessionIds: string[]): Promise<DoomedSession[]> {
  return lockDoomed(trx, sessionIds);
}

/**
 * Deletes sessions with everything that this module stores of them. A live process that runs one of
 * them finds no visit at its next write and stops.
 */
export async function forgetSessions(trx: Trx, doomed: DoomedSession[]): Promise<void> {
  if (doomed.length === 0) return;
  await deleteLogs(trx, doomed);
  await deleteSessions(trx, doomed);
}

/** Settled sessions of one account that are older than its retention allows, the oldest first, at most `most`. */
export async function outlivedSessions(db: Db | Trx, limit: number): Promise<DoomedSession[]> {
  return selectOutlived(db, limit);
}

/**
 * Sessions that belong to an address in its normal form: in the session's `email`, or in the
 * metadata key `email` of an imported session. The oldest come first within each account.
 */
export async function findPerson(
  db: Db | Trx,
  person: { email: string; accountId?: number | undefined; limit: number },
): Promise<PersonsSession[]> {
  const { email, accountId, limit } = person;
  const at = email.lastIndexOf("@");
  const written = `${email.slice(0, at)}@${domainToUnicode(email.slice(at + 1))}`;
  return selectByAddress(db, [email, written], { accountId, limit });
}
