import { audit } from "#accounts";
import type { Account } from "#accounts";
import { transact } from "#platform";
import type { Db, Trx } from "#platform";
import {
  deleteSuppression,
  hasSuppression,
  insertSuppression,
  selectSuppressionDays,
} from "./suppression-store.ts";
import type { Recipient, SuppressionDay, SuppressionSource } from "./suppression-store.ts";

/** No mail of this account to that person from now on. Again is the same as once. */
export async function suppress(
  db: Db | Trx,
  recipient: Recipient & { source: SuppressionSource },
): Promise<boolean> {
  return insertSuppression(db, recipient);
}

export async function isSuppressed(db: Db | Trx, recipient: Recipient): Promise<boolean> {
  return hasSuppression(db, recipient);
}

export async function unsuppress(db: Db | Trx, recipient: Recipient): Promise<boolean> {
  return deleteSuppression(db, recipient);
}

/** The same by an operator. The audit says whose mail it was about by the account alone. */
export async function setSuppressed(
  db: Db,
  actor: string,
  account: Pick<Account, "id" | "clientId">,
  { marks, suppressed }: { marks: Recipient["marks"]; suppressed: boolean },
): Promise<boolean> {
  const recipient = { accountId: account.id, marks };
  return transact(db, async (trx) => {
    const changed = suppressed
      ? await suppress(trx, { ...recipient, source: "operator" })
      : await unsuppress(trx, recipient);
    if (changed) {
      const action = suppressed ? "mail.suppress" : "mail.allow";
      await audit(trx, { actor, action, accountId: account.id, subject: account.clientId });
    }
    return changed;
  });
}

export async function countSuppressed(db: Db, accountId: number): Promise<SuppressionDay[]> {
  return selectSuppressionDays(db, accountId);
}
