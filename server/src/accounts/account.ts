import { newClientId } from "#platform";
import type { Cell, Trx } from "#platform";
import { AppError } from "#platform";
import { audit } from "./audit.ts";
import { insertAccount, updateExportMode } from "./store.ts";

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
export type ExportMode = "settled_prefix" | "as_available";

export async function addAccount(
  trx: Trx,
  actor: string,
  cell: Cell,
  name: string,
): Promise<Account> {
  const clientId = newClientId(cell);
  const id = await insertAccount(trx, clientId, name);
  await audit(trx, { actor, action: "account.add", accountId: id, subject: clientId });
  return { id, clientId, name, exportMode: "settled_prefix" };
}

export async function setExportMode(
  trx: Trx,
  actor: string,
  accountId: number,
  mode: ExportMode,
): Promise<void> {
  if (!(await updateExportMode(trx, accountId, mode))) {
    throw new AppError("not_found", `There is no account ${accountId}.`);
  }
  await audit(trx, {
    actor,
    action: "account.set",
    accountId,
    subject: String(accountId),
    detail: { exportMode: mode },
  });
}
