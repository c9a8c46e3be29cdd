import { newClientId } from "#platform";
import type { Cell, Db, Trx } from "#platform";
import { audit } from "./audit.ts";
import { oneLineText } from "./one-line-text.ts";
import { insertAccount, selectAccounts } from "./store.ts";

/** A customer: the owner of agents, sessions and tokens. */
export interface Account {
  id: number;
  /** What the customer knows the account by: `client_…`. */
  clientId: string;
  name: string;
  exportMode: ExportMode;
}

/**
 * - `settled_prefix`: the export shows a session only when every earlier one is settled, so that
 *   the documented loop never misses one.
 * - `as_available`: it shows each session as soon as it is settled. A reader that only moves
 *   forward misses those that finish late.
 */
export type ExportMode = (typeof EXPORT_MODES)[number];
export const EXPORT_MODES = ["settled_prefix", "as_available"] as const;

export async function addAccount(
  trx: Trx,
  actor: string,
  cell: Cell,
  name: string,
): Promise<Account> {
  const clientId = newClientId(cell);
  const kept = oneLineText(name, "The account's name", 200);
  const id = await insertAccount(trx, clientId, kept);
  await audit(trx, { actor, action: "account.add", accountId: id, subject: clientId });
  return { id, clientId, name: kept, exportMode: "settled_prefix" };
}

export interface ListedAccount extends Account {
  createdAt: Date;
  workingTokens: number;
}

/** All of them, the oldest first. */
export async function listAccounts(db: Db): Promise<ListedAccount[]> {
  return selectAccounts(db);
}
