import type { Db, Trx } from "#platform";
import type { DeviceKind, FunnelEntry, SessionStatus } from "@svc/contract/types";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

export interface SessionFilter {
  accountId?: number;
  /** Only of these accounts, of which there may be none. */
  accountIds?: readonly number[];
  agentId?: string;
  status?: SessionStatus;
  language?: string;
  entry?: FunnelEntry;
  device?: DeviceKind;
  since?: Date;
  /** Only older than this one, in the order of the list. */
  before?: { at: Date; id: string };
  /** Test sessions instead of real ones. */
  test: boolean;
  limit: number;
}

/** A session without its contents. */
export interface ListedSession {
  id: string;
  accountId: number;
  clientId: string;
  accountName: string;
  agentId: string;
  agentSlug: string;
  agentVersion: number;
  test: boolean;
  status: SessionStatus;
  createdAt: Date;
  endedAt: Date | null;
  endReason: string | null;
  settledAt: Date | null;
  durationSecs: number | null;
  email: string | null;
  language: string | null;
  mode: "voice" | "text" | null;
}

const LISTED = sql`sessions.id, agent_id AS "agentId", agent_version AS "agentVersion", test, status, sessions.created_at AS "createdAt",
  ended_at AS "endedAt", end_reason AS "endReason", settled_at AS "settledAt", duration_secs AS "durationSecs", email, language, mode`;

/** In no particular order. */
export async function selectByIds(db: Db, ids: string[]): Promise<ListedSession[]> {
  const { rows } = await sql<ListedSession>`
    SELECT ${LISTED}, accounts.id AS "accountId", accounts.client_id AS "clientId", accounts.name AS "accountName", agents.slug AS "agentSlug"
    FROM sessions
    JOIN accounts ON accounts.id = sessions.account_id
    JOIN agents ON agents.id = sessions.agent_id
    WHERE sessions.id = ANY (${ids}::uuid[])`.execute(db);
  return rows;
}

/**
 * The newest sessions. Those of each account are read from its own index and then merged: one order
 * over all accounts would need an index of its own, and a search in it for a quiet account would
 * pass every session of the busy ones.
 */
export async function selectNewest(db: Db, filter: SessionFilter): Promise<ListedSession[]> {
  const { accountId, accountIds, agentId, status, since, before, test, limit } = filter;
  const { language, entry, device } = filter;
  const conditions = [
    sql`sessions.account_id = accounts.id`,
    test ? sql`sessions.test` : sql`NOT sessions.test`,
    ...(agentId === undefined ? [] : [sql`sessions.agent_id = ${agentId}`]),
    ...(since === undefined ? [] : [sql`sessions.created_at >= ${since}`]),
    ...(before === undefined
      ? []
      : [sql`(sessions.created_at, sessions.id) < (${before.at}, ${before.id})`]),
    ...Object.entries({ language, entry, device }).flatMap(([column, value]) =>
      value === undefined ? [] : [sql`${sql.ref(`sessions.${column}`)} = ${value}`],
    ),
    ...(status === undefined ? [] : [hasStatus(status)]),
  ];
  const ofAccount = [
    ...(accountId === undefined ? [] : [sql`accounts.id = ${accountId}`]),
    ...(accountIds === undefined ? [] : [sql`accounts.id = ANY (${accountIds}::integer[])`]),
    ...(agentId === undefined
      ? []
      : [sql`accounts.id = (SELECT account_id FROM agents WHERE id = ${agentId})`]),
  ];
  const { rows } = await sql<ListedSession>`
    SELECT newest.*, accounts.id AS "accountId", accounts.client_id AS "clientId", accounts.name AS "accountName", agents.slug AS "agentSlug"
    FROM accounts
    CROSS JOIN LATERAL (
      SELECT ${LISTED}
      FROM sessions
      WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY created_at DESC
      LIMIT ${limit}
    ) AS newest
    JOIN agents ON agents.id = newest."agentId"
    ${ofAccount.length === 0 ? sql`` : sql`WHERE ${sql.join(ofAccount, sql` AND `)}`}
    ORDER BY newest."createdAt" DESC, newest.id DESC
    LIMIT ${limit}`.execute(db);
  return rows;
}

/** Must match the partial index on unsettled sessions, which would otherwise not be used. */
function hasStatus(status: SessionStatus): RawBuilder<unknown> {
  return status === "active" ? sql`sessions.settled_at IS NULL` : sql`sessions.status = ${status}`;
}

/** The start of the newest session of each account that has one. */
export async function selectLastStarts(db: Db): Promise<{ accountId: number; at: Date }[]> {
  const { rows } = await sql<{ accountId: number; at: Date }>`
    SELECT accounts.id AS "accountId", newest.at
    FROM accounts
    CROSS JOIN LATERAL (SELECT max(created_at) AS at FROM sessions WHERE account_id = accounts.id) AS newest
    WHERE newest.at IS NOT NULL`.execute(db);
  return rows;
}

export interface SessionCounts {
  active: number;
  /** Counts sessions that started in the last 24 hours. */
  abandoned: number;
  processed: number;
  error: number;
}

export async function selectCounts(db: Db, accountId: number): Promise<SessionCounts> {
  const { rows } = await sql<SessionCounts>`
    SELECT
      (SELECT count(*)::integer FROM sessions WHERE account_id = ${accountId} AND settled_at IS NULL AND NOT test) AS active,
      count(*) FILTER (WHERE status = 'abandoned')::integer AS abandoned,
      count(*) FILTER (WHERE status = 'processed')::integer AS processed,
      count(*) FILTER (WHERE status = 'error')::integer AS error
    FROM session_exports
    WHERE account_id = ${accountId} AND created_at >= clock_timestamp() - interval '24 hours'`.execute(
    db,
  );
  return rows[0]!;
}

export async function selectCountOfAgent(
  db: Db | Trx,
  agentId: string,
  accountId: number,
): Promise<{ sessions: number; goingOn: number }> {
  const { rows } = await sql<{ sessions: number; goingOn: number }>`
    SELECT count(*)::integer AS sessions, count(*) FILTER (WHERE ended_at IS NULL)::integer AS "goingOn"
    FROM sessions WHERE account_id = ${accountId} AND agent_id = ${agentId}`.execute(db);
  return rows[0]!;
}
