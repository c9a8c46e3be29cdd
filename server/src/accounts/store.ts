import { sql } from "kysely";
import type { Generated, JSONColumnType } from "kysely";
import type { Db, Trx } from "#platform";
import type { AuditEntry } from "./audit.ts";
import type { Account, ExportMode } from "./account.ts";

type AccountsTables = {
  accounts: {
    id: Generated<number>;
    client_id: string;
    name: string;
    export_mode: Generated<ExportMode>;
    created_at: Generated<Date>;
  };
  account_clocks: { account_id: number; last_at: Date; in_second: number };
  tokens: {
    id: Generated<number>;
    account_id: number;
    hash: Buffer;
    label: string;
    created_at: Generated<Date>;
    revoked_at: Date | null;
  };
  audit: {
    actor: string;
    action: string;
    account_id: number | null;
    subject: string;
    detail: JSONColumnType<Record<string, unknown>>;
  };
};

const tables = (db: Db | Trx) => db.withTables<AccountsTables>();

export async function insertAccount(trx: Trx, clientId: string, name: string): Promise<number> {
  const { id } = await tables(trx)
    .insertInto("accounts")
    .values({ client_id: clientId, name })
    .returning("id")
    .executeTakeFirstOrThrow();
  // The clock starts with the account, so that the export of an account without a session can say how far it is complete.
  await sql`
    INSERT INTO account_clocks (account_id, last_at, in_second)
    SELECT ${id}, at, count FROM next_stamp('-infinity', 0, clock_timestamp())`.execute(trx);
  return id;
}

export async function updateExportMode(
  trx: Trx,
  accountId: number,
  mode: ExportMode,
): Promise<boolean> {
  const result = await tables(trx)
    .updateTable("accounts")
    .set({ export_mode: mode })
    .where("id", "=", accountId)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function insertToken(
  trx: Trx,
  accountId: number,
  hash: Buffer,
  label: string,
): Promise<number> {
  const { id } = await tables(trx)
    .insertInto("tokens")
    .values({ account_id: accountId, hash, label })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** The account behind a token that still works. */
export async function findByTokenHash(
  db: Db,
  hash: Buffer,
): Promise<(Account & { tokenId: number; hash: Buffer }) | undefined> {
  const row = await tables(db)
    .selectFrom("tokens")
    .innerJoin("accounts", "accounts.id", "tokens.account_id")
    .select([
      "tokens.id as tokenId",
      "tokens.hash",
      "accounts.id",
      "accounts.client_id as clientId",
      "accounts.name",
      "accounts.export_mode as exportMode",
    ])
    .where("tokens.hash", "=", hash)
    .where("tokens.revoked_at", "is", null)
    .executeTakeFirst();
  return row;
}

export async function markRevoked(
  trx: Trx,
  tokenId: number,
): Promise<{ accountId: number } | undefined> {
  return tables(trx)
    .updateTable("tokens")
    .set({ revoked_at: sql<Date>`date_trunc('milliseconds', now())` })
    .where("id", "=", tokenId)
    .where("revoked_at", "is", null)
    .returning("account_id as accountId")
    .executeTakeFirst();
}

export async function insertAudit(trx: Trx, entry: AuditEntry): Promise<void> {
  await tables(trx)
    .insertInto("audit")
    .values({
      actor: entry.actor,
      action: entry.action,
      account_id: entry.accountId ?? null,
      subject: entry.subject,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .execute();
}
