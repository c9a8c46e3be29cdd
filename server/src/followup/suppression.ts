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

/** Stops all further mails of this account to that person. Doing it twice changes nothing. */
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

/** Suppresses or allows mails on an operator's behalf. The audit names the account and not the person. */
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
