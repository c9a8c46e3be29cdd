import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/** Everything that an account has. */
export interface AccountHoldings {
  agents: number;
  sessions: number;
  /** Conversations that the removal ends. */
  goingOn: number;
  tokens: number;
  receivers: number;
  deliveriesPending: number;
}

export async function selectAccountHoldings(
  db: Db | Trx,
  accountId: number,
): Promise<AccountHoldings> {
  const { rows } = await sql<AccountHoldings>`
    SELECT (SELECT count(*)::integer FROM agents WHERE account_id = ${accountId}) AS agents,
      (SELECT count(*)::integer FROM sessions WHERE account_id = ${accountId}) AS sessions,
      (SELECT count(*)::integer FROM sessions WHERE account_id = ${accountId} AND ended_at IS NULL) AS "goingOn",
      (SELECT count(*)::integer FROM tokens WHERE account_id = ${accountId} AND revoked_at IS NULL) AS tokens,
      (SELECT count(*)::integer FROM webhook_endpoints WHERE account_id = ${accountId} AND state <> 'removed') AS receivers,
      (SELECT count(*)::integer FROM deliveries JOIN webhook_endpoints AS e ON e.id = endpoint_id
        WHERE e.account_id = ${accountId} AND finished_at IS NULL) AS "deliveriesPending"`.execute(
    db,
  );
  return rows[0]!;
}

/** From now on nobody starts a session, reads the export or is sent an event. */
export async function closeAccount(trx: Trx, accountId: number): Promise<void> {
  await sql`
    UPDATE agents SET removed_at = coalesce(removed_at, now()), state = 'paused' WHERE account_id = ${accountId}`.execute(
    trx,
  );
  await sql`UPDATE tokens SET revoked_at = coalesce(revoked_at, now()) WHERE account_id = ${accountId}`.execute(
    trx,
  );
  await sql`UPDATE webhook_endpoints SET state = 'removed' WHERE account_id = ${accountId}`.execute(
    trx,
  );
}

/** What the account had when it was closed, if its removal has begun. */
export async function selectBegun(
  db: Db | Trx,
  accountId: number,
): Promise<Record<string, unknown> | undefined> {
  const { rows } = await sql<{ detail: Record<string, unknown> }>`
    SELECT detail FROM public.audit WHERE account_id = ${accountId} AND action = 'account.close' ORDER BY id LIMIT 1`.execute(
    db,
  );
  return rows[0]?.detail;
}

export async function selectSessionIds(
  db: Db,
  accountId: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM sessions WHERE account_id = ${accountId} ORDER BY created_at LIMIT ${limit}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

const ofAgents = (accountId: number): RawBuilder<unknown> =>
  sql`agent_id IN (SELECT id FROM agents WHERE account_id = ${accountId})`;

/** Tables that may have many rows of an account, apart from its sessions. */
const LARGE: readonly string[] = [
  "funnel_steps",
  "funnel_counts",
  "session_tallies",
  "session_times",
  "agent_days",
];

/** Deletes some counts of the account's agents, and returns how many. */
export async function deleteCounts(trx: Trx, accountId: number, limit: number): Promise<number> {
  let deleted = 0;
  for (const name of LARGE) {
    const table = sql.table(name);
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${ofAgents(accountId)} LIMIT ${limit})`.execute(
      trx,
    );
    deleted += Number(numAffectedRows);
  }
  return deleted;
}

/**
 * Deletes the account and what is left of it, unless it has sessions: false then. The audit stays as it
 * is, and the receipts of erasures without the account: they hold nothing of visitors, and say who did what.
 */
export async function deleteAccount(trx: Trx, accountId: number): Promise<boolean> {
  // A session that is being started holds a key-share lock on the account.
  await sql`SELECT FROM accounts WHERE id = ${accountId} FOR UPDATE`.execute(trx);
  const { rows } = await sql`SELECT FROM sessions WHERE account_id = ${accountId} LIMIT 1`.execute(
    trx,
  );
  if (rows.length > 0) return false;
  const { rows: files } = await sql<{ sha256: Buffer }>`
    SELECT DISTINCT sha256 FROM agent_version_files WHERE ${ofAgents(accountId)}`.execute(trx);
  await sql`UPDATE accounts SET default_agent_id = NULL WHERE id = ${accountId}`.execute(trx);
  await sql`UPDATE agents SET current_version = NULL WHERE account_id = ${accountId}`.execute(trx);
  for (const name of [...LARGE, "preview_tokens", "agent_version_files", "agent_versions"])
    await sql`DELETE FROM ${sql.table(name)} WHERE ${ofAgents(accountId)}`.execute(trx);
  for (const name of [
    "agents",
    "webhook_endpoints",
    "mail_suppressions",
    "tokens",
    "account_clocks",
  ])
    await sql`DELETE FROM ${sql.table(name)} WHERE account_id = ${accountId}`.execute(trx);
  // Accounts that have the same file share its bytes.
  await sql`
    DELETE FROM agent_files AS f WHERE sha256 = ANY (${files.map(({ sha256 }) => sha256)}::bytea[])
      AND NOT EXISTS (SELECT FROM agent_version_files AS used WHERE used.sha256 = f.sha256)`.execute(
    trx,
  );
  await sql`UPDATE erasures SET account_id = NULL WHERE account_id = ${accountId}`.execute(trx);
  await sql`DELETE FROM accounts WHERE id = ${accountId}`.execute(trx);
  return true;
}
