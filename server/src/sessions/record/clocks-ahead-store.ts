import type { Db } from "#platform";
import { sql } from "kysely";

export async function selectClocksAhead(
  db: Db,
  graceSecs: number,
): Promise<{ accounts: number; aheadSecs: number }> {
  const { rows } = await sql<{ accounts: number; aheadSecs: number }>`
    SELECT count(*)::integer AS accounts,
      coalesce(extract(epoch FROM max(last_at) - clock_timestamp()), 0)::float8 AS "aheadSecs"
    FROM account_clocks WHERE last_at > clock_timestamp() + make_interval(secs => ${graceSecs})`.execute(
    db,
  );
  return rows[0]!;
}
