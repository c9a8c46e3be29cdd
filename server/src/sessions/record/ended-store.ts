import type { Db, Trx } from "#platform";
import type { Metadata, TranscriptEntry } from "@svc/contract/types";
import { sql } from "kysely";
import type { Turn } from "./session-object.ts";

/** A session whose conversation has ended, with everything that an evaluation needs. */
export interface EndedSession {
  id: string;
  accountId: number;
  agentId: string;
  agentVersion: number;
  test: boolean;
  endedAt: Date;
  settledAt: Date | null;
  evaluateBy: Date | null;
  metadata: Metadata;
  /** Whether the check of its address's domain is still running. */
  awaitsDomain: boolean;
  turns: Turn[];
  /** The database's clock at the time of reading. */
  readAt: Date;
}

/** Reads the turns from the live log, or from the export row once that day of the log is gone. */
export async function selectEnded(db: Db | Trx, id: string): Promise<EndedSession | undefined> {
  const { rows } = await sql<
    Omit<EndedSession, "turns"> & { logged: Turn[] | null; exported: TranscriptEntry[] | null }
  >`
    SELECT s.id, s.account_id AS "accountId", s.agent_id AS "agentId", s.agent_version AS "agentVersion", s.test,
      s.ended_at AS "endedAt", s.settled_at AS "settledAt", s.evaluate_by AS "evaluateBy", s.metadata, clock_timestamp() AS "readAt",
      s.email IS NOT NULL AND s.email_verified IS NULL AND s.end_reason <> 'imported' AS "awaitsDomain",
      log.turns AS logged, CASE WHEN log.turns IS NULL THEN e.transcript::json END AS exported
    FROM sessions AS s
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object('role', role, 'content', content, 'interrupted', interrupted) ORDER BY seq) AS turns
      FROM turns WHERE session_at = s.created_at AND session_id = s.id
    ) AS log ON true
    LEFT JOIN session_exports AS e ON e.account_id = s.account_id AND e.created_at = s.created_at AND e.id = s.id
    WHERE s.id = ${id} AND s.ended_at IS NOT NULL`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { logged, exported, ...session } = row;
  const turns = logged ?? exported ?? [];
  return {
    ...session,
    turns: turns.map((turn) => ({ ...turn, interrupted: turn.interrupted ?? false })),
  };
}

/** Counted no further: the accounts that wait for so many take turns no more. */
const MOST_WAITING = 1_000;

/** The number of sessions of its account that wait for their evaluation, at most 1,000. */
export async function countWaiting(trx: Trx, id: string): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    SELECT count(*)::integer AS waiting FROM (
      SELECT FROM sessions AS s
      WHERE s.account_id = (SELECT account_id FROM sessions WHERE id = ${id})
        AND s.settled_at IS NULL AND NOT s.test AND s.ended_at IS NOT NULL
      LIMIT ${MOST_WAITING}
    ) AS counted`.execute(trx);
  return rows[0]!.waiting;
}

/** The session's address, if it is not known yet whether its domain accepts mail. */
export async function selectUnverified(db: Db, sessionId: string): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    SELECT email FROM sessions
    WHERE id = ${sessionId} AND email IS NOT NULL AND email_verified IS NULL`.execute(db);
  return rows[0]?.email;
}
