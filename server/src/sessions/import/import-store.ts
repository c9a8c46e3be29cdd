import type { Db, Trx } from "#platform";
import type { SettledStatus } from "@svc/contract/types";
import { sql } from "kysely";
import type { ExportColumns } from "../record/session-object.ts";
import type { GivenSession } from "./import-line.ts";

export interface ImportClock {
  lastMs: number;
  inSecond: number;
  nowMs: number;
}

/** With `lock`, no new session of the account and no other import gets a stamp until the transaction ends. */
export async function selectClock(
  db: Db | Trx,
  accountId: number,
  { lock }: { lock: boolean },
): Promise<ImportClock> {
  const { rows } = await sql<{ last_at: Date; in_second: number; now: Date }>`
    SELECT last_at, in_second, clock_timestamp() AS now FROM account_clocks
    WHERE account_id = ${accountId} ${lock ? sql`FOR UPDATE` : sql``}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`account ${accountId} has no clock`);
  return { lastMs: row.last_at.getTime(), inSecond: row.in_second, nowMs: row.now.getTime() };
}

export async function updateClock(
  trx: Trx,
  accountId: number,
  clock: { lastMs: number; inSecond: number },
): Promise<void> {
  await sql`
    UPDATE account_clocks SET last_at = ${new Date(clock.lastMs)}, in_second = ${clock.inSecond}
    WHERE account_id = ${accountId}`.execute(trx);
}

/** A stored session with one of the requested ids. */
export interface StoredSession extends ExportColumns {
  id: string;
  accountId: number;
  createdAt: Date;
  givenAt: Date | null;
  agentId: string;
  /** Null for a session that is not exported: unsettled, or a test. */
  status: SettledStatus | null;
  /** Whether it has ended, is not a test, and has no evaluation yet. */
  isDue: boolean;
  email: string | null;
  emailVerified: boolean | null;
  durationSecs: number | null;
}

/** A turn of the live log as a transcript entry. */
const ENTRY = sql`CASE WHEN interrupted THEN json_build_object('role', role, 'content', content, 'interrupted', true)
  ELSE json_build_object('role', role, 'content', content) END`;

export async function selectStored(db: Db | Trx, ids: string[]): Promise<StoredSession[]> {
  const { rows } = await sql<StoredSession>`
    SELECT s.id, s.account_id AS "accountId", s.created_at AS "createdAt", s.given_at AS "givenAt",
      s.agent_id AS "agentId", e.status, NOT s.test AND s.settled_at IS NULL AND s.ended_at IS NOT NULL AS "isDue",
      nullif(s.metadata::text, '{}') AS metadata, coalesce(e.transcript, log.transcript) AS transcript, e.summary, e.evaluation,
      s.email, s.email_verified AS "emailVerified", s.duration_secs AS "durationSecs"
    FROM sessions AS s
    LEFT JOIN session_exports AS e
      ON e.account_id = s.account_id AND e.created_at = s.created_at AND e.id = s.id
    LEFT JOIN LATERAL (
      SELECT json_agg(${ENTRY} ORDER BY seq)::text AS transcript FROM turns
      WHERE session_at = s.created_at AND session_id = s.id AND s.settled_at IS NULL
    ) AS log ON true
    WHERE s.id = ANY (${ids}::uuid[])`.execute(db);
  return rows;
}

/**
 * The number of sessions of the account that start in each of these seconds, including tests, as
 * its clock counts.
 */
export async function countInSeconds(
  trx: Trx,
  accountId: number,
  seconds: number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ second: number; count: number }>`
    SELECT second::float8 AS second, (
      SELECT count(*)::integer FROM sessions
      WHERE account_id = ${accountId}
        AND created_at >= to_timestamp(second) AND created_at < to_timestamp(second + 1)
    ) AS count
    FROM unnest(${seconds}::bigint[]) AS second`.execute(trx);
  return new Map(rows.map(({ second, count }) => [second, count]));
}

export interface ImportedSession {
  session: GivenSession;
  atMs: number;
}

/** The version that ran is unknown. Version 1 always exists and is the same for every import. */
const AGENT_VERSION = 1;

/**
 * Inserts settled sessions into both tables. Their turns are not inserted: those are the log of
 * live conversations, and the transcript of a settled session is stored in session_exports. A
 * session that is still to be evaluated has no row there yet, so its turns go to the log, and it is
 * evaluated by its agent's current version.
 */
export async function insertImported(
  trx: Trx,
  accountId: number,
  imported: ImportedSession[],
  evaluateWithinSecs: number,
): Promise<void> {
  // Sent as one JSON text, because arrays of JSON texts take half as long again.
  const given = JSON.stringify(imported.map(toRow));
  await sql`
    WITH given AS (
      SELECT * FROM json_to_recordset(${given}::json) AS t (
        id uuid, agent_id text, status text, created_at timestamptz, given_at timestamptz,
        metadata text, transcript text, summary text, evaluation text, email text, email_verified boolean, duration_secs integer)
    ), settled AS (
      INSERT INTO sessions (id, account_id, agent_id, agent_version, test, status, created_at, given_at, connect_by,
        ended_at, end_reason, settled_at, metadata, email, email_verified, duration_secs)
      SELECT id, ${accountId}, agent_id, ${AGENT_VERSION}, false, status, created_at, given_at, created_at,
        least(created_at + make_interval(secs => coalesce(duration_secs, 0)), clock_timestamp()),
        'imported', clock_timestamp(), coalesce(metadata, '{}')::json, email, email_verified, duration_secs
      FROM given WHERE status IS NOT NULL
    ), due AS (
      INSERT INTO sessions (id, account_id, agent_id, agent_version, test, created_at, given_at, connect_by,
        ended_at, end_reason, evaluate_by, metadata, email, email_verified, duration_secs)
      SELECT id, ${accountId}, agent_id, (SELECT current_version FROM agents WHERE agents.id = given.agent_id), false,
        created_at, given_at, created_at, clock_timestamp(), 'imported', clock_timestamp() + make_interval(secs => ${evaluateWithinSecs}),
        coalesce(metadata, '{}')::json, email, email_verified, duration_secs
      FROM given WHERE status IS NULL
    ), said AS (
      INSERT INTO turns (session_at, session_id, item_id, role, content, interrupted, at)
      SELECT created_at, id, 'imported ' || place, turn ->> 'role', turn ->> 'content', coalesce((turn ->> 'interrupted')::boolean, false), created_at
      FROM given CROSS JOIN LATERAL json_array_elements(transcript::json) WITH ORDINALITY AS entry (turn, place)
      WHERE status IS NULL
      ORDER BY id, place
    )
    INSERT INTO session_exports (account_id, created_at, id, agent_id, status, metadata, transcript, summary,
      evaluation, email, email_verified, duration_secs)
    SELECT ${accountId}, created_at, id, agent_id, status, metadata, transcript, summary,
      evaluation, email, email_verified, duration_secs
    FROM given WHERE status IS NOT NULL`.execute(trx);
}

function toRow({ session, atMs }: ImportedSession): Record<string, unknown> {
  const { id, status, metadata, transcript, summary, evaluation, email } = session;
  return {
    id,
    agent_id: session.agentId,
    status,
    created_at: new Date(atMs),
    given_at: atMs === session.givenMs ? null : new Date(session.givenMs),
    metadata,
    transcript,
    summary,
    evaluation,
    email,
    email_verified: session.emailVerified,
    duration_secs: session.durationSecs,
  };
}
