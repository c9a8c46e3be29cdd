import type { TestDatabase } from "@svc/server/testing";

/** What became of a session. */
export interface SessionOutcome {
  id: string;
  status: string;
  /** Evaluations, written or not. */
  versions: number;
  /** From its end. */
  settledAfterMs: number;
}

export async function outcomesOf({ pool }: TestDatabase, ids: string[]): Promise<SessionOutcome[]> {
  const { rows } = await pool.query<SessionOutcome>(
    `SELECT s.id, s.status, count(e)::integer AS versions, extract(epoch FROM s.settled_at - s.ended_at)::float8 * 1000 AS "settledAfterMs"
     FROM sessions AS s LEFT JOIN evaluations AS e ON e.session_id = s.id WHERE s.id = ANY ($1) GROUP BY s.id`,
    [ids],
  );
  return rows;
}
