import { changeSettings } from "#accounts";
import type { SettingsChange } from "#accounts";
import { transact } from "#platform";
import type { Db } from "#platform";
import type { Customer } from "./customer.ts";

/** What `svc accounts set` does, without its process. */
export async function changeAccount(
  db: Db,
  { account }: Customer,
  change: SettingsChange,
): Promise<void> {
  await transact(db, (trx) => changeSettings(trx, "test", account.id, change));
}
