import type { Db, Trx } from "#platform";
import { sql } from "kysely";

/** A session that is to be deleted. */
export interface DoomedSession {
  id: string;
  accountId: number;
  createdAt: Date;
}

/**
 * Locks the visit before its session, in the order of every writer of a live session. Sessions that
 * are already gone are left out.
 */
export async function lockDoomed(trx: Trx, sessionIds: string[]): Promise<DoomedSession[]> {
  await sql`
    SELECT FROM visits WHERE session_id = ANY (${sessionIds}::uuid[])
    ORDER BY session_id FOR UPDATE`.execute(trx);
  const { rows } = await sql<DoomedSession>`
    SELECT id, account_id AS "accountId", created_at AS "createdAt" FROM sessions
    WHERE id = ANY (${sessionIds}::uuid[])
    ORDER BY id FOR UPDATE`.execute(trx);
  return rows;
}

/**
 * The live log has no foreign keys. `session_at` selects its daily partition: without it every day
 * would be searched.
 */
export async function deleteLogs(trx: Trx, doomed: DoomedSession[]): Promise<void> {
  const ids = doomed.map(({ id }) => id);
  const ats = doomed.map(({ createdAt }) => createdAt);
  for (const log of ["turns", "session_events"]) {
    await sql`
      DELETE FROM ${sql.table(log)}
      WHERE session_at = ANY (${ats}::timestamptz[]) AND session_id = ANY (${ids}::uuid[])`.execute(
      trx,
    );
  }
}

/** Export rows, visits, usage and all other rows that refer to a session are deleted with it. */
export async function deleteSessions(trx: Trx, doomed: DoomedSession[]): Promise<void> {
  const ids = doomed.map(({ id }) => id);
  // In one statement, which takes all of them off the sums of their days together.
  for (const table of ["session_digests", "session_digests_due"])
    await sql`DELETE FROM ${sql.table(table)} WHERE session_id = ANY (${ids}::uuid[])`.execute(trx);
  await sql`DELETE FROM sessions WHERE id = ANY (${ids}::uuid[])`.execute(trx);
}

/** Settled sessions of one account that are past its retention, the oldest first. */
export async function selectOutlived(db: Db | Trx, limit: number): Promise<DoomedSession[]> {
  const { rows: accounts } = await sql<{ id: number; keptFrom: Date }>`
    SELECT id, now() - make_interval(days => retention_days) AS "keptFrom" FROM accounts
    WHERE EXISTS (
      SELECT FROM sessions
      WHERE account_id = accounts.id AND settled_at IS NOT NULL
        AND created_at < now() - make_interval(days => retention_days))
    ORDER BY id
    LIMIT 1`.execute(db);
  const [account] = accounts;
  if (account === undefined) return [];
  // A separate statement: joined, every batch would read and sort all of them.
  const { rows } = await sql<DoomedSession>`
    SELECT id, account_id AS "accountId", created_at AS "createdAt" FROM sessions
    WHERE account_id = ${account.id} AND created_at < ${account.keptFrom} AND settled_at IS NOT NULL
    ORDER BY account_id, created_at
    LIMIT ${limit}`.execute(db);
  return rows;
}

/** A session of a person, found by address. */
export interface PersonsSession extends DoomedSession {
  isGoingOn: boolean;
}

/**
 * `spellings` starts with the normal form of the address, followed by forms that a site may have
 * written into metadata.
 */
export async function selectByAddress(
  db: Db | Trx,
  spellings: [string, ...string[]],
  { accountId, limit }: { accountId: number | undefined; limit: number },
): Promise<PersonsSession[]> {
  const found = sql`id, account_id AS "accountId", created_at AS "createdAt", ended_at IS NULL AS "isGoingOn"`;
  const theirs = accountId === undefined ? sql`true` : sql`account_id = ${accountId}`;
  const { rows } = await sql<PersonsSession>`
    SELECT * FROM (
      SELECT ${found} FROM sessions WHERE email = ${spellings[0]} AND ${theirs}
      UNION
      SELECT ${found} FROM sessions
      WHERE metadata_email(metadata) = ANY (${spellings}::text[]) AND metadata_email(metadata) IS DISTINCT FROM email AND ${theirs}
    ) AS persons
    ORDER BY "accountId", "createdAt"
    LIMIT ${limit}`.execute(db);
  return rows;
}
