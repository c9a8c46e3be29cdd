import { transact } from "#platform";
import type { Db } from "#platform";
import type { FunnelEvent } from "@svc/contract/types";
import { sql } from "kysely";

/** The number of times one event came from one origin. */
export interface FunnelCount {
  /** As the page names it: the agent's id, or the account's client id. */
  agent: string;
  event: FunnelEvent;
  origin: string;
  count: number;
}

/**
 * Adds to today's counts. Unknown agents are left out. For each agent and day, the first
 * `maxOrigins` origins get a row of their own and all others share one, because anyone can send any
 * origin.
 */
export async function addFunnelCounts(
  db: Db,
  counts: FunnelCount[],
  maxOrigins: number,
): Promise<void> {
  await transact(db, async (trx) => {
    // Without the lock, two concurrent writers would each find room for the last origin.
    await sql`SELECT pg_advisory_xact_lock(hashtext('funnel_counts'))`.execute(trx);
    await sql`
      WITH given AS (
        SELECT agents.id AS agent_id, (clock_timestamp() AT TIME ZONE 'UTC')::date AS day, event, origin, sum(count) AS count
        FROM json_to_recordset(${JSON.stringify(counts)}) AS one (agent text, event text, origin text, count bigint)
        LEFT JOIN accounts ON accounts.client_id = one.agent
        JOIN agents ON agents.id = coalesce(accounts.default_agent_id, one.agent)
        GROUP BY 1, 2, 3, 4
      ), known AS (
        SELECT DISTINCT agent_id, day, origin FROM funnel_counts JOIN (SELECT DISTINCT agent_id, day FROM given) AS touched USING (agent_id, day)
      ), fresh AS (
        SELECT agent_id, day, origin, row_number() OVER (PARTITION BY agent_id, day ORDER BY origin) AS place
        FROM (SELECT agent_id, day, origin FROM given EXCEPT SELECT agent_id, day, origin FROM known) AS unknown
      ), room AS (
        SELECT agent_id, day, ${maxOrigins} - count(*) AS places FROM known WHERE origin <> 'other' GROUP BY 1, 2
      )
      INSERT INTO funnel_counts (agent_id, day, event, origin, count)
      SELECT agent_id, day, event, CASE WHEN place > coalesce(places, ${maxOrigins}) THEN 'other' ELSE origin END, sum(count)
      FROM given LEFT JOIN fresh USING (agent_id, day, origin) LEFT JOIN room USING (agent_id, day)
      GROUP BY 1, 2, 3, 4
      ON CONFLICT (agent_id, day, event, origin) DO UPDATE SET count = funnel_counts.count + excluded.count`.execute(
      trx,
    );
  });
}
