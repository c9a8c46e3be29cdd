import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { UnfinishedTurn } from "./scene.ts";

/** The deadline of an unsettled session. Must match the expression of the sweeper's index. */
export const DEADLINE: RawBuilder<Date> = sql`session_deadline(ended_at, evaluate_by, connected_at, connect_by, converse_by, return_by)`;

/**
 * No deadline is an hour away: one that is comes from a clock that was ahead. Waiting for it could hold
 * back the account's export for a year.
 */
const IS_LATE: RawBuilder<boolean> = sql`(${DEADLINE} < clock_timestamp() OR ${DEADLINE} > clock_timestamp() + interval '1 hour')`;

/** Unsettled sessions past their deadline and not among `except`, the most overdue first. */
export async function selectLate(db: Db, limit: number, except: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM sessions
    WHERE settled_at IS NULL AND ${IS_LATE} AND id <> ALL (${except}::uuid[])
    ORDER BY ${DEADLINE}
    LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export interface LateSession {
  id: string;
  createdAt: Date;
  waitedFor: "evaluation" | "visitor" | "conversation";
}

/**
 * Locks the visit, which every writer of a live session locks. False when one of them holds it,
 * because its turns may not be committed yet. A session without a visit has no such writer.
 */
export async function lockVisitOf(trx: Trx, id: string): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    WITH mine AS (
      SELECT FROM visits WHERE session_id = ${id} FOR NO KEY UPDATE SKIP LOCKED
    )
    SELECT EXISTS (SELECT FROM mine) OR NOT EXISTS (SELECT FROM visits WHERE session_id = ${id}) AS "isFree"`.execute(
    trx,
  );
  return rows[0]!.isFree;
}

/** Locks a session if it is still past its deadline and nobody else has locked it. */
export async function lockLate(trx: Trx, id: string): Promise<LateSession | undefined> {
  const { rows } = await sql<LateSession>`
    SELECT id, created_at AS "createdAt", CASE
        WHEN ended_at IS NOT NULL THEN 'evaluation'
        WHEN connected_at IS NULL OR return_by < clock_timestamp() THEN 'visitor'
        ELSE 'conversation'
      END AS "waitedFor"
    FROM sessions
    WHERE id = ${id} AND settled_at IS NULL AND ${IS_LATE}
    FOR UPDATE SKIP LOCKED`.execute(trx);
  return rows[0];
}

/** Removes the agent's unfinished turn from the visit and returns it. */
export async function takeSpeech(trx: Trx, id: string): Promise<UnfinishedTurn | undefined> {
  const { rows } = await sql<{ speech: UnfinishedTurn | null }>`
    WITH before AS (SELECT scene->'speech' AS speech FROM visits WHERE session_id = ${id})
    UPDATE visits SET scene = NULL FROM before WHERE session_id = ${id} RETURNING before.speech`.execute(
    trx,
  );
  return rows[0]?.speech ?? undefined;
}
