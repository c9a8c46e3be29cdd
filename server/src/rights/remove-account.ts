import { audit } from "#accounts";
import type { Account } from "#accounts";
import { transact } from "#platform";
import type { Db } from "#platform";
import {
  closeAccount,
  deleteAccount,
  deleteCounts,
  selectAccountHoldings,
  selectBegun,
  selectSessionIds,
} from "./account-store.ts";
import type { AccountHoldings } from "./account-store.ts";
import { forget } from "./forget.ts";

export type { AccountHoldings } from "./account-store.ts";

/** Small enough that nobody waits long for the locks of one transaction. */
const SESSIONS_AT_ONCE = 100;
const COUNTS_AT_ONCE = 10_000;

/** What would go with the account. */
export async function accountHoldings(db: Db, accountId: number): Promise<AccountHoldings> {
  return selectAccountHoldings(db, accountId);
}

/**
 * Removes an account with everything that it has. First nobody can start a session, read the export
 * or be sent an event; then its data goes in batches; the account itself goes last. Interrupted and
 * run again, it goes on. One audit entry stays that names the client id and how much there was.
 *
 * @param tell how many sessions are gone so far.
 */
export async function removeAccount(
  db: Db,
  actor: string,
  { id: accountId, clientId }: Account,
  tell: (done: number) => void,
): Promise<void> {
  const had = await transact(db, async (trx) => {
    const begun = await selectBegun(trx, accountId);
    if (begun !== undefined) return begun;
    const { agents, sessions, tokens, receivers } = await selectAccountHoldings(trx, accountId);
    const detail = { agents, sessions, tokens, receivers };
    await closeAccount(trx, accountId);
    await audit(trx, { actor, action: "account.close", accountId, subject: clientId, detail });
    return detail;
  });
  let done = 0;
  do {
    for (;;) {
      const ids = await selectSessionIds(db, accountId, SESSIONS_AT_ONCE);
      if (ids.length === 0) break;
      const { sessions } = await transact(db, (trx) => forget(trx, ids));
      tell((done += sessions.length));
    }
    while ((await transact(db, (trx) => deleteCounts(trx, accountId, COUNTS_AT_ONCE))) > 0);
    // A session that had been started before and was not committed yet is found in another round.
  } while (
    !(await transact(db, async (trx) => {
      const isGone = await deleteAccount(trx, accountId);
      if (isGone)
        await audit(trx, { actor, action: "account.remove", subject: clientId, detail: had });
      return isGone;
    }))
  );
}
