import type { Evaluation, SessionStatus, SettledStatus } from "@svc/contract/types";
import { sql } from "kysely";
import type { Db } from "#platform";
import type { Dropped } from "./answer.ts";
import type { EvaluationFailure } from "./evaluator.ts";

/** Queries that only the operator's commands use. */

/** The state of one evaluation of a session, and of the session. */
export interface EvaluationOutcome {
  status: SessionStatus;
  version: number;
  state: "pending" | "written" | "failed";
  requestedAt: Date;
  finishedAt: Date | null;
  /** How often the model was away. */
  timesAway: number;
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  costMicros: number | null;
  summary: string | null;
  evaluation: Evaluation | null;
  dropped: Dropped[] | null;
  failure: EvaluationFailure | null;
}

/**
 * The newest evaluation, or that version of it. The first one has no row until it is finished or
 * the model was away. Undefined when the session is gone.
 */
export async function selectOutcome(
  db: Db,
  sessionId: string,
  version?: number,
): Promise<EvaluationOutcome | undefined> {
  const { rows } = await sql<EvaluationOutcome>`
    SELECT s.status, coalesce(e.version, 1) AS version, coalesce(e.state, 'pending') AS state,
      coalesce(e.requested_at, s.ended_at) AS "requestedAt", e.finished_at AS "finishedAt", coalesce(e.times_away, 0) AS "timesAway",
      e.model, e.input_tokens AS "inputTokens", e.output_tokens AS "outputTokens", e.cost_micros::float8 AS "costMicros",
      e.summary, e.evaluation, e.dropped, e.failure
    FROM sessions AS s
    LEFT JOIN LATERAL (
      SELECT * FROM evaluations
      WHERE session_id = s.id ${version === undefined ? sql`` : sql`AND version = ${version}`}
      ORDER BY version DESC LIMIT 1
    ) AS e ON true
    WHERE s.id = ${sessionId}`.execute(db);
  return rows[0];
}

export interface SettledFilter {
  status: SettledStatus;
  since: Date;
  accountId?: number;
  agentId?: string;
}

export interface OwnedSession {
  id: string;
  accountId: number;
}

/** Settled sessions that are no tests, the oldest first. Each account's are read from its own index. */
export async function selectSettled(db: Db, filter: SettledFilter): Promise<OwnedSession[]> {
  const { status, since, accountId, agentId } = filter;
  const { rows } = await sql<OwnedSession>`
    SELECT found.id, accounts.id AS "accountId"
    FROM accounts
    CROSS JOIN LATERAL (
      SELECT id, created_at FROM sessions
      WHERE account_id = accounts.id AND created_at >= ${since} AND NOT test AND status = ${status}
        ${agentId === undefined ? sql`` : sql`AND agent_id = ${agentId}`}
    ) AS found
    ${accountId === undefined ? sql`` : sql`WHERE accounts.id = ${accountId}`}
    ORDER BY found.created_at, found.id`.execute(db);
  return rows;
}

/** Returns whether the session still has the status that it was chosen by. */
export async function isStill(
  db: Db,
  { id }: OwnedSession,
  status: SettledStatus,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM sessions WHERE id = ${id} AND status = ${status}`.execute(db);
  return rows.length > 0;
}
