import type { Trx } from "#platform";
import type { Evaluation, Metadata, SessionStatus, TranscriptEntry } from "@svc/contract/types";
import { sql } from "kysely";

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
  /** Null for imported sessions, as are all fields below. */
  language: string | null;
  mode: "voice" | "text" | null;
  page: string | null;
  /** The hash, in hex, of the notice that the visitor accepted. */
  noticeSha256: string | null;
  noticeAt: Date | null;
  /** The hash of the notice that the server had. Null for sessions of earlier releases. */
  noticeServedSha256: string | null;
  noticeReceivedAt: Date | null;
  /** The hash of the list of recipients. Null for sessions of earlier releases. */
  recipientsSha256: string | null;
  /** The cost of models and speech, evaluations included. */
  costMicros: number;
}

export async function selectSession(db: Trx, id: string): Promise<StoredSession | undefined> {
  const { rows } = await sql<StoredSession>`
    SELECT sessions.id, accounts.id AS "accountId", accounts.client_id AS "clientId", accounts.name AS "accountName",
      accounts.export_mode AS "exportMode", agents.id AS "agentId", agents.slug AS "agentSlug",
      agent_version AS "agentVersion", test, status, sessions.created_at AS "createdAt", connect_by AS "connectBy",
      ended_at AS "endedAt", end_reason AS "endReason", evaluate_by AS "evaluateBy", settled_at AS "settledAt", error_reason AS "errorReason",
      duration_secs AS "durationSecs", metadata, email, email_verified AS "emailVerified",
      language, mode, page, encode(notice_sha256, 'hex') AS "noticeSha256", notice_at AS "noticeAt",
      encode(notice_served_sha256, 'hex') AS "noticeServedSha256", notice_received_at AS "noticeReceivedAt",
      encode(recipients_sha256, 'hex') AS "recipientsSha256", cost_micros::float8 AS "costMicros"
    FROM sessions
    JOIN accounts ON accounts.id = sessions.account_id
    JOIN agents ON agents.id = sessions.agent_id
    WHERE sessions.id = ${id}`.execute(db);
  return rows[0];
}

type Place = { id: string; accountId: number; createdAt: Date };

/** The parts of the session that the customer can read. */
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

export interface SessionEvent {
  at: Date;
  kind: string;
  detail: Record<string, unknown>;
}

export interface EvaluationRun {
  version: number;
  state: "pending" | "written" | "failed";
  requestedAt: Date;
  finishedAt: Date | null;
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  costMicros: number | null;
  failure: string | null;
  summary: string | null;
  evaluation: Evaluation | null;
  /** The statements that the evidence check removed. */
  dropped: { where: string; why: string }[] | null;
}
