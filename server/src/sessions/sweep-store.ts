import { sql } from "kysely";
import type { Db, Trx } from "#platform";
import { DEADLINE } from "./operator-store.ts";

/** Unsettled sessions past their deadline, the most overdue first. */
export async function selectLate(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM sessions
    WHERE settled_at IS NULL AND ${DEADLINE} < clock_timestamp()
    ORDER BY ${DEADLINE}
    LIMIT ${most}`.execute(db);
  return rows.map(({ id }) => id);
}

export interface LateSession {
  waitedFor: "evaluation" | "visitor" | "conversation";
}

/** Locks a session if it is still late, unless somebody else is at it. */
export async function lockLate(trx: Trx, id: string): Promise<LateSession | undefined> {
  const { rows } = await sql<LateSession>`
    SELECT CASE
        WHEN ended_at IS NOT NULL THEN 'evaluation'
        WHEN connected_at IS NULL OR return_by < clock_timestamp() THEN 'visitor'
        ELSE 'conversation'
      END AS "waitedFor"
    FROM sessions
    WHERE id = ${id} AND settled_at IS NULL AND ${DEADLINE} < clock_timestamp()
    FOR UPDATE SKIP LOCKED`.execute(trx);
  return rows[0];
}
