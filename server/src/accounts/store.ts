import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import type { Generated, JSONColumnType } from "kysely";

export interface ListedToken {
  id: number;
  label: string;
  createdAt: Date;
  revokedAt: Date | null;
}

/**
 * A record of who changed what. It is written in the transaction of the change, so that neither
 * exists without the other.
 */
export interface AuditEntry {
  actor: string;
  action: string;
  accountId?: number;
  subject: string;
  /** Holds neither secrets nor personal data. */
  detail?: Record<string, unknown>;
}

export interface AuditFilter {
  accountId?: number;
  since?: Date;
  limit: number;
}

export interface AuditRecord {
  id: string;
  at: Date;
  actor: string;
  action: string;
  clientId: string | null;
  accountName: string | null;
  subject: string;
  detail: Record<string, unknown>;
}

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
    id: Generated<string>;
    at: Generated<Date>;
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
  // The clock starts with the account, so that the export can say how far it is complete before the first session.
  await sql`
    INSERT INTO account_clocks (account_id, last_at, in_second)
    SELECT ${id}, at, count FROM next_stamp('-infinity', 0, clock_timestamp())`.execute(trx);
  return id;
}

export async function updateName(trx: Trx, accountId: number, name: string): Promise<void> {
  await tables(trx).updateTable("accounts").set({ name }).where("id", "=", accountId).execute();
}

const selectAccount = (db: Db | Trx) =>
  tables(db)
    .selectFrom("accounts")
    .select([
      "accounts.id",
      "accounts.client_id as clientId",
      "accounts.name",
      "accounts.export_mode as exportMode",
    ]);

export async function selectByClientId(
  db: Db | Trx,
  clientId: string,
): Promise<Account | undefined> {
  return selectAccount(db).where("client_id", "=", clientId).executeTakeFirst();
}

export async function selectById(db: Db | Trx, id: number): Promise<Account | undefined> {
  return selectAccount(db).where("id", "=", id).executeTakeFirst();
}

/** Exact matches of the name come first, then by name. */
export async function selectByNamePrefix(
  db: Db | Trx,
  prefix: string,
  limit: number,
): Promise<Account[]> {
  return selectAccount(db)
    .where(sql<boolean>`starts_with(lower(accounts.name), lower(${prefix}))`)
    .orderBy(sql`lower(accounts.name) = lower(${prefix})`, "desc")
    .orderBy("accounts.name")
    .orderBy("accounts.id")
    .limit(limit)
    .execute();
}

export async function selectAccounts(db: Db): Promise<ListedAccount[]> {
  return selectAccount(db)
    .select("accounts.created_at as createdAt")
    .select((select) =>
      select
        .selectFrom("tokens")
        .whereRef("tokens.account_id", "=", "accounts.id")
        .where("tokens.revoked_at", "is", null)
        .select(sql<number>`count(*)::integer`.as("count"))
        .$asScalar()
        .$notNull()
        .as("workingTokens"),
    )
    .orderBy("accounts.id")
    .execute();
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
): Promise<{ accountId: number; label: string } | undefined> {
  return tables(trx)
    .updateTable("tokens")
    .set({ revoked_at: sql<Date>`date_trunc('milliseconds', now())` })
    .where("id", "=", tokenId)
    .where("revoked_at", "is", null)
    .returning(["account_id as accountId", "label"])
    .executeTakeFirst();
}

export async function selectTokens(db: Db, accountId: number): Promise<ListedToken[]> {
  return tables(db)
    .selectFrom("tokens")
    .select(["id", "label", "created_at as createdAt", "revoked_at as revokedAt"])
    .where("account_id", "=", accountId)
    .orderBy("id")
    .execute();
}

/** Its schema is named: a login can set its own search_path, and put something else in the table's place. */
function auditTables(db: Db | Trx): ReturnType<typeof tables> {
  return tables(db).withSchema("public");
}

export async function insertAudit(trx: Trx, entry: AuditEntry): Promise<void> {
  await auditTables(trx)
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

export async function selectAudit(db: Db, filter: AuditFilter): Promise<AuditRecord[]> {
  let query = auditTables(db)
    .selectFrom("audit")
    .leftJoin("accounts", "accounts.id", "audit.account_id")
    .select([
      "audit.id",
      "audit.at",
      "audit.actor",
      "audit.action",
      "accounts.client_id as clientId",
      "accounts.name as accountName",
      "audit.subject",
      "audit.detail",
    ])
    .orderBy("audit.id", "desc")
    .limit(filter.limit);
  if (filter.accountId !== undefined) {
    query = query.where("audit.account_id", "=", filter.accountId);
  }
  if (filter.since !== undefined) query = query.where("audit.at", ">=", filter.since);
  return query.execute();
}

export interface AuditRights {
  login: string;
  isSuperuser: boolean;
  /** Whether it may change, remove or forge entries. */
  mayEdit: boolean;
  /** Something else stands in the table's place for this login: a view in a schema of its own. */
  isHidden: boolean;
}

/** What the login of this connection may do to entries that are there. */
export async function selectAuditRights(db: Db): Promise<AuditRights> {
  const { rows } = await sql<AuditRights>`
    SELECT current_user AS login,
      (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS "isSuperuser",
      has_table_privilege('public.audit', 'UPDATE, DELETE, TRUNCATE')
        OR has_column_privilege('public.audit', 'at', 'INSERT') AS "mayEdit",
      to_regclass('audit') IS DISTINCT FROM 'public.audit'::regclass
        OR (SELECT relkind FROM pg_class WHERE oid = 'public.audit'::regclass) <> 'r' AS "isHidden"`.execute(
    db,
  );
  return rows[0]!;
}

/** A customer: the owner of agents, sessions and tokens. */
export interface Account {
  id: number;
  /** The public id of the account, `client_…`. */
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

export interface ListedAccount extends Account {
  createdAt: Date;
  workingTokens: number;
}
