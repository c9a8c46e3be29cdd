import type { Evaluation, Metadata, SessionStatus, TranscriptEntry } from "@svc/contract/types";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db, Trx } from "#platform";
import type { Hold } from "./export-hold.ts";
import type { ListedSession, SessionFilter } from "./session-list.ts";
import type { EvaluationRun, SessionEvent } from "./session-story.ts";

/** What only the operator reads. None of it is asked for while a visitor waits. */

/**
 * The newest sessions. Each account's are read from its own index and then merged: one order over
 * all accounts would need an index of its own, and a search in it for a quiet account would pass
 * every session of the busy ones.
 */
export async function selectNewest(db: Db, filter: SessionFilter): Promise<ListedSession[]> {
  const { accountId, agentId, status, since, test, limit } = filter;
  const conditions = [
    sql`sessions.account_id = accounts.id`,
    test ? sql`sessions.test` : sql`NOT sessions.test`,
    ...(agentId === undefined ? [] : [sql`sessions.agent_id = ${agentId}`]),
    ...(since === undefined ? [] : [sql`sessions.created_at >= ${since}`]),
    ...(status === undefined ? [] : [hasStatus(status)]),
  ];
  const ofAccount = [
    ...(accountId === undefined ? [] : [sql`accounts.id = ${accountId}`]),
    ...(agentId === undefined
      ? []
      : [sql`accounts.id = (SELECT account_id FROM agents WHERE id = ${agentId})`]),
  ];
  const { rows } = await sql<ListedSession>`
    SELECT newest.*, accounts.client_id AS "clientId", accounts.name AS "accountName", agents.slug AS "agentSlug"
    FROM accounts
    CROSS JOIN LATERAL (
      SELECT id, agent_id AS "agentId", agent_version AS "agentVersion", test, status, created_at AS "createdAt",
        ended_at AS "endedAt", end_reason AS "endReason", settled_at AS "settledAt", duration_secs AS "durationSecs"
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

/** In the words of the index on what is unsettled, or it would not be used. */
function hasStatus(status: SessionStatus): RawBuilder<unknown> {
  return status === "active" ? sql`sessions.settled_at IS NULL` : sql`sessions.status = ${status}`;
}

/** Start of the newest session of each account that has one. */
export async function selectLastStarts(db: Db): Promise<{ accountId: number; at: Date }[]> {
  const { rows } = await sql<{ accountId: number; at: Date }>`
    SELECT accounts.id AS "accountId", newest.at
    FROM accounts
    CROSS JOIN LATERAL (SELECT max(created_at) AS at FROM sessions WHERE account_id = accounts.id) AS newest
    WHERE newest.at IS NOT NULL`.execute(db);
  return rows;
}

export interface StoredSession {
  id: string;
  accountId: number;
  clientId: string;
  accountName: string;
  exportMode: "settled_prefix" | "as_available";
  agentId: string;
  agentSlug: string;
  agentVersion: number;
  test: boolean;
  status: SessionStatus;
  createdAt: Date;
  connectBy: Date;
  endedAt: Date | null;
  endReason: string | null;
  evaluateBy: Date | null;
  settledAt: Date | null;
  errorReason: string | null;
  durationSecs: number | null;
  metadata: Metadata;
  email: string | null;
  emailVerified: boolean | null;
  /** Unknown of an imported session, like all that follow. */
  language: string | null;
  mode: "voice" | "text" | null;
  page: string | null;
  /** In hex: of the text that the visitor accepted. */
  noticeSha256: string | null;
  noticeAt: Date | null;
  /** What models and speech cost, without its evaluations. */
  costMicros: number;
}

export async function selectSession(db: Trx, id: string): Promise<StoredSession | undefined> {
  const { rows } = await sql<StoredSession>`
    SELECT sessions.id, accounts.id AS "accountId", accounts.client_id AS "clientId", accounts.name AS "accountName",
      accounts.export_mode AS "exportMode", agents.id AS "agentId", agents.slug AS "agentSlug",
      agent_version AS "agentVersion", test, status, sessions.created_at AS "createdAt", connect_by AS "connectBy",
      ended_at AS "endedAt", end_reason AS "endReason", evaluate_by AS "evaluateBy", settled_at AS "settledAt", error_reason AS "errorReason",
      duration_secs AS "durationSecs", metadata, email, email_verified AS "emailVerified",
      language, mode, page, encode(notice_sha256, 'hex') AS "noticeSha256", notice_at AS "noticeAt", cost_micros::float8 AS "costMicros"
    FROM sessions
    JOIN accounts ON accounts.id = sessions.account_id
    JOIN agents ON agents.id = sessions.agent_id
    WHERE sessions.id = ${id}`.execute(db);
  return rows[0];
}

type Place = { id: string; accountId: number; createdAt: Date };

/** What the customer reads of it. */
export async function selectExported(
  db: Trx,
  session: Place,
): Promise<
  | {
      summary: string | null;
      transcript: TranscriptEntry[] | null;
      evaluation: Evaluation | null;
    }
  | undefined
> {
  const { rows } = await sql<{
    summary: string | null;
    transcript: TranscriptEntry[] | null;
    evaluation: Evaluation | null;
  }>`
    SELECT summary, transcript::json AS transcript, evaluation::json AS evaluation
    FROM session_exports
    WHERE account_id = ${session.accountId} AND created_at = ${session.createdAt} AND id = ${session.id}`.execute(
    db,
  );
  return rows[0];
}

export async function selectEvents(db: Trx, session: Place): Promise<SessionEvent[]> {
  const { rows } = await sql<SessionEvent>`
    SELECT at, kind, detail FROM session_events
    WHERE session_at = ${session.createdAt} AND session_id = ${session.id}
    ORDER BY seq`.execute(db);
  return rows;
}

export async function selectEvaluations(db: Trx, sessionId: string): Promise<EvaluationRun[]> {
  const { rows } = await sql<EvaluationRun>`
    SELECT version, state, requested_at AS "requestedAt", finished_at AS "finishedAt", model,
      input_tokens AS "inputTokens", output_tokens AS "outputTokens", cost_micros::float8 AS "costMicros", failure,
      summary, evaluation, dropped
    FROM evaluations
    WHERE session_id = ${sessionId}
    ORDER BY version`.execute(db);
  return rows;
}

/** An unsettled session's deadline, in the words of the index that the sweeper reads. */
export const DEADLINE: RawBuilder<Date> = sql`session_deadline(ended_at, evaluate_by, connected_at, connect_by, converse_by, return_by)`;

/** Each unsettled session, what it waits for and until when. */
const UNSETTLED = sql`
  SELECT sessions.id, sessions.account_id, sessions.created_at, ${DEADLINE} AS until,
    CASE
      WHEN ended_at IS NOT NULL THEN 'evaluation'
      WHEN connected_at IS NULL OR return_by IS NOT NULL THEN 'visitor'
      ELSE 'conversation'
    END AS for
  FROM sessions
  WHERE sessions.settled_at IS NULL`;

const HOLD = sql`id AS "sessionId", created_at AS "createdAt", "for" AS "waitsFor", until, coalesce(until < clock_timestamp(), false) AS overdue`;

/** The account's oldest unsettled session that is not a test, and how many finished ones wait behind it. */
export async function selectHold(
  db: Db | Trx,
  accountId: number,
): Promise<(Hold & { behind: number }) | undefined> {
  const { rows } = await sql<Hold & { behind: number }>`
    SELECT ${HOLD}, (
      SELECT count(*)::integer FROM session_exports
      WHERE account_id = ${accountId} AND (session_exports.created_at, session_exports.id) > (unsettled.created_at, unsettled.id)
    ) AS behind
    FROM (${UNSETTLED} AND sessions.account_id = ${accountId} AND NOT sessions.test ORDER BY sessions.created_at, sessions.id LIMIT 1) AS unsettled`.execute(
    db,
  );
  return rows[0];
}

/** What one unsettled session waits for. */
export async function selectWait(db: Trx, id: string): Promise<Hold | undefined> {
  const { rows } = await sql<Hold>`
    SELECT ${HOLD} FROM (${UNSETTLED} AND sessions.id = ${id}) AS unsettled`.execute(db);
  return rows[0];
}

/** Unsettled sessions that should have been settled by now: how many, and the oldest. */
export async function selectOverdue(
  db: Db,
  graceSecs: number,
): Promise<{ count: number; oldest: Hold | undefined }> {
  const { rows } = await sql<Hold & { count: number }>`
    SELECT ${HOLD}, (count(*) OVER ())::integer AS count
    FROM (${UNSETTLED} AND NOT sessions.test) AS unsettled
    WHERE until < clock_timestamp() - make_interval(secs => ${graceSecs})
    ORDER BY until
    LIMIT 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return { count: 0, oldest: undefined };
  const { count, ...oldest } = row;
  return { count, oldest };
}

export interface SessionCounts {
  active: number;
  /** Of those that started in the last 24 hours. */
  abandoned: number;
  processed: number;
  error: number;
}

/** Test sessions are not counted. */
export async function countSessions(db: Db, accountId: number): Promise<SessionCounts> {
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

/** Whether the live log has a partition for today and for tomorrow, in UTC. */
export async function selectLogDays(db: Db): Promise<{ day: string; made: boolean }[]> {
  const { rows } = await sql<{ day: string; made: boolean }>`
    SELECT day::text, to_regclass('turns' || suffix) IS NOT NULL AND to_regclass('session_events' || suffix) IS NOT NULL AS made
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date + ahead AS day FROM generate_series(0, 1) AS ahead) AS days
    CROSS JOIN LATERAL to_char(day, '"_"YYYYMMDD') AS suffix
    ORDER BY day`.execute(db);
  return rows;
}
