import type { Db, Trx } from "#platform";
import type {
  AgentMode,
  DeviceKind,
  FunnelEntry,
  Metadata,
  SessionStatus,
  SettledStatus,
} from "@svc/contract/types";
import { sql } from "kysely";
import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { ExportColumns, ExportedSession, Turn } from "./session-object.ts";

type SessionsTables = {
  sessions: {
    id: string;
    account_id: number;
    agent_id: string;
    agent_version: number;
    test: boolean;
    status: Generated<SessionStatus>;
    created_at: Date;
    connect_by: Date;
    connected_at: Date | null;
    converse_by: Date | null;
    return_by: Date | null;
    ended_at: Date | null;
    end_reason: string | null;
    evaluate_by: Date | null;
    settled_at: Date | null;
    error_reason: string | null;
    metadata: JSONColumnType<Metadata>;
    email: string | null;
    email_verified: boolean | null;
    duration_secs: number | null;
  };
  turns: {
    session_at: Date;
    session_id: string;
    item_id: string;
    seq: Generated<string>;
    role: Turn["role"];
    content: string;
    interrupted: boolean;
    at: ColumnType<Date, Date | string, never>;
  };
  session_exports: ExportedSession;
};

const tables = (db: Db | Trx) => db.withTables<SessionsTables>();
const NOW = sql<Date>`date_trunc('milliseconds', clock_timestamp())`;

export interface NewSession {
  id: string;
  accountId: number;
  agentId: string;
  agentVersion: number;
  test: boolean;
  metadata: Metadata;
  email: string | undefined;
  visit: VisitFacts | undefined;
  /** Its start is stored as no later than this, whatever the database's clock shows. */
  latestMs: number | undefined;
}

export interface ConsentReceipt {
  /** Of the text that the page says it showed, and when it says that it was accepted. */
  sha256: Buffer;
  language: string;
  acceptedAt: Date;
  /** Of the text that the server gives out for this version of the agent and that language. */
  servedSha256: Buffer;
  /** Of the list of those who get what the visitor says, which the notice links to. */
  recipientsSha256: Buffer | undefined;
}

/** The circumstances of a visitor's start, and the notice they accepted. */
export interface VisitFacts {
  language: string;
  mode: AgentMode;
  page: string;
  entry?: FunnelEntry | undefined;
  device?: DeviceKind | undefined;
  notice: ConsentReceipt;
  traceparent?: string | undefined;
}

/**
 * Assigns the stamp and inserts the session in one statement, so that the account's clock is locked
 * as late as possible.
 */
export async function insertSession(
  trx: Trx,
  session: NewSession,
  connectWithinSecs: number,
): Promise<Date> {
  const { visit } = session;
  // PostgreSQL's `least` passes over NULL.
  const latest = session.latestMs === undefined ? null : new Date(session.latestMs);
  const { rows } = await sql<{ created_at: Date }>`
    WITH stamp AS (
      UPDATE account_clocks
      SET (last_at, in_second) = (SELECT at, count FROM next_stamp(last_at, in_second, least(clock_timestamp(), ${latest})))
      WHERE account_id = ${session.accountId}
      RETURNING last_at
    )
    INSERT INTO sessions (id, account_id, agent_id, agent_version, test, created_at, connect_by, metadata, email,
      language, mode, page, entry, device, notice_sha256, notice_language, notice_at, notice_served_sha256, notice_received_at, recipients_sha256, traceparent)
    SELECT ${session.id}, ${session.accountId}, ${session.agentId}, ${session.agentVersion}, ${session.test},
      stamp.last_at, clock_timestamp() + make_interval(secs => ${connectWithinSecs}), ${JSON.stringify(session.metadata)}, ${session.email ?? null},
      ${visit?.language ?? null}, ${visit?.mode ?? null}, ${visit?.page ?? null}, ${visit?.entry ?? null}, ${visit?.device ?? null}, ${visit?.notice.sha256 ?? null},
      ${visit?.notice.language ?? null}, ${visit?.notice.acceptedAt ?? null}, ${visit?.notice.servedSha256 ?? null},
      ${visit ? sql`clock_timestamp()` : null}, ${visit?.notice.recipientsSha256 ?? null}, ${visit?.traceparent ?? null}
    FROM stamp
    RETURNING created_at`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error(`account ${session.accountId} has no clock`);
  return row.created_at;
}

export interface SessionRow {
  id: string;
  accountId: number;
  agentId: string;
  test: boolean;
  status: SessionStatus;
  createdAt: Date;
  endedAt: Date | null;
  settledAt: Date | null;
  metadata: Metadata;
  email: string | null;
  emailVerified: boolean | null;
  durationSecs: number | null;
}

/**
 * Locks the session, so that changes to one session are serialised. Rows that only refer to it are
 * not blocked.
 */
export async function lockSession(trx: Trx, id: string): Promise<SessionRow | undefined> {
  return tables(trx)
    .selectFrom("sessions")
    .select([
      "id",
      "account_id as accountId",
      "agent_id as agentId",
      "test",
      "status",
      "created_at as createdAt",
      "ended_at as endedAt",
      "settled_at as settledAt",
      "metadata",
      "email",
      "email_verified as emailVerified",
      "duration_secs as durationSecs",
    ])
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

const inSecs = (secs: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${secs})`;

export async function updateConnected(trx: Trx, id: string, converseSecs: number): Promise<void> {
  await tables(trx)
    .updateTable("sessions")
    .set({
      connected_at: sql<Date>`coalesce(connected_at, ${NOW})`,
      converse_by: sql<Date>`coalesce(converse_by, ${inSecs(converseSecs)})`,
      return_by: null,
    })
    .where("id", "=", id)
    .execute();
}

export async function updateLost(trx: Trx, id: string, returnSecs: number): Promise<void> {
  await tables(trx)
    .updateTable("sessions")
    .set({ return_by: inSecs(returnSecs) })
    .where("id", "=", id)
    .execute();
}

/**
 * Ends the conversation and returns whether the visitor spoke; only then is an evaluation due. The
 * duration is from the first turn to the last sign of the visitor. Undefined when it had already
 * ended.
 */
export async function markEnded(
  trx: Trx,
  id: string,
  end: { reason: string; visitorLastSeenAt: Date | undefined; evaluateWithinSecs: number },
): Promise<boolean | undefined> {
  const { rows } = await sql<{ spoke: boolean }>`
    WITH said AS (
      SELECT max(turns.at) FILTER (WHERE turns.role = 'user') AS last_at,
        extract(epoch FROM coalesce(${end.visitorLastSeenAt ?? null}::timestamptz, max(turns.at) FILTER (WHERE turns.role = 'user')) - min(turns.at)) AS secs
      FROM sessions JOIN turns ON turns.session_at = sessions.created_at AND turns.session_id = sessions.id
      WHERE sessions.id = ${id}
    )
    UPDATE sessions SET ended_at = ${NOW}, end_reason = ${end.reason},
      duration_secs = CASE WHEN said.secs < 0 THEN 0 ELSE floor(said.secs) END,
      evaluate_by = CASE WHEN said.last_at IS NOT NULL THEN ${inSecs(end.evaluateWithinSecs)} END
    FROM said
    WHERE id = ${id} AND ended_at IS NULL
    RETURNING said.last_at IS NOT NULL AS spoke`.execute(trx);
  return rows[0]?.spoke;
}

/**
 * Settles an ended session and writes its export row in one statement, because this is half the
 * cost of an evaluation. Settling is final: a re-evaluation changes the status but never the time,
 * and keeps the transcript, since its turns may be gone from the live log. Undefined when there was
 * nothing to settle; `exported` is undefined for test sessions.
 */
export async function settle(
  trx: Trx,
  id: string,
  settled: Omit<ExportColumns, "metadata"> & { status: SettledStatus; errorReason: string | null },
): Promise<{ exported: ExportedSession | undefined } | undefined> {
  const { rows } = await sql<ExportedSession | (ExportedSession & { id: null })>`
    WITH session AS (
      UPDATE sessions SET status = ${settled.status}, settled_at = coalesce(settled_at, ${NOW}), error_reason = ${settled.errorReason},
        reserved_micros = 0
      WHERE id = ${id} AND ended_at IS NOT NULL AND (settled_at IS NULL OR ${settled.status} = 'processed')
      RETURNING *
    ), exported AS (
      INSERT INTO session_exports (account_id, created_at, id, agent_id, status, metadata, transcript, summary, evaluation,
        email, email_verified, duration_secs)
      SELECT account_id, created_at, id, agent_id, status, nullif(metadata::text, '{}'), ${settled.transcript}, ${settled.summary},
        ${settled.evaluation}, email, email_verified, duration_secs
      FROM session WHERE NOT test
      ON CONFLICT (account_id, created_at, id) DO UPDATE SET
        status = excluded.status, summary = excluded.summary, evaluation = excluded.evaluation
      RETURNING *
    )
    SELECT exported.* FROM session LEFT JOIN exported ON true`.execute(trx);
  const [row] = rows;
  if (row === undefined) return undefined;
  return { exported: row.id === null ? undefined : row };
}

export async function updateEmail(
  trx: Trx,
  id: string,
  email: { address: string | null; verified: boolean | null; metadata: Metadata },
): Promise<void> {
  await tables(trx)
    .updateTable("sessions")
    .set({
      email: email.address,
      email_verified: email.verified,
      metadata: JSON.stringify(email.metadata),
    })
    .where("id", "=", id)
    .execute();
}

/** The same item twice is one turn: a live process that got no answer to its insert sends it again. */
export async function insertTurn(
  trx: Trx,
  session: { id: string; createdAt: Date },
  turn: Turn & { itemId: string; at: Date },
): Promise<void> {
  await tables(trx)
    .insertInto("turns")
    .values({
      session_at: session.createdAt,
      session_id: session.id,
      item_id: turn.itemId,
      role: turn.role,
      content: turn.content,
      interrupted: turn.interrupted,
      at: turn.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** From the live log, in the order in which they were stored. */
export async function selectTurns(
  db: Db | Trx,
  sessionId: string,
): Promise<(Turn & { at: Date })[]> {
  return tables(db)
    .selectFrom("sessions")
    .innerJoin("turns", (join) =>
      join
        .onRef("turns.session_at", "=", "sessions.created_at")
        .onRef("turns.session_id", "=", "sessions.id"),
    )
    .select(["role", "content", "interrupted", "turns.at"])
    .where("sessions.id", "=", sessionId)
    .orderBy("seq")
    .execute();
}

export async function updateExportRow(
  trx: Trx,
  session: SessionRow,
  change: Partial<
    Omit<ExportColumns, "transcript"> & {
      status: SettledStatus;
      email: string | null;
      email_verified: boolean | null;
    }
  >,
): Promise<ExportedSession | undefined> {
  return tables(trx)
    .updateTable("session_exports")
    .set(change)
    .where("account_id", "=", session.accountId)
    .where("created_at", "=", session.createdAt)
    .where("id", "=", session.id)
    .returningAll()
    .executeTakeFirst();
}
