import { sql } from "kysely";
import type { Db } from "../database/db.ts";

export interface OverdueJobs {
  /** The kind of job. */
  name: string;
  count: number;
  /** For how long the oldest could have been taken. */
  oldestSecs: number;
}

/** Jobs that could have been taken more than `graceSecs` ago and were not, the kind that waits longest first. */
export async function overdueJobs(db: Db, graceSecs: number): Promise<OverdueJobs[]> {
  const { rows } = await sql<OverdueJobs>`
    SELECT name, count(*)::integer AS count, extract(epoch FROM now() - min(start_after))::float8 AS "oldestSecs"
    FROM pgboss.job WHERE state < 'active' AND start_after < now() - make_interval(secs => ${graceSecs})
    GROUP BY name
    ORDER BY min(start_after)`.execute(db);
  return rows;
}
