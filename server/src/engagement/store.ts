import { transact } from "#platform";
import type { Db } from "#platform";
import type { DeviceKind, FunnelEntry, FunnelEvent } from "@svc/contract/types";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/** The number of times one event came from one place. `null` is not known. */
export interface FunnelCount {
  /** As the page names it: the agent's id, or the account's client id. */
  agent: string;
  event: FunnelEvent;
  origin: string;
  page: string | null;
  language: string | null;
  entry: FunnelEntry | null;
  device: DeviceKind | null;
  count: number;
}

/**
 * Adds to today's counts. Unknown and removed agents are left out, and so are an agent's test
 * origins. For each agent, day and dimension, the first `maxValues` values get a row of their own
 * and all others share one. Origins are counted in `funnel_counts`, which the previous release writes
 * too; all other dimensions in `funnel_steps`.
 */
export async function addFunnelCounts(
  db: Db,
  counts: FunnelCount[],
  maxValues: number,
): Promise<void> {
  await transact(db, async (trx) => {
    // Without the lock, two concurrent writers would each find room for the last value.
    await sql`SELECT pg_advisory_xact_lock(hashtext('funnel_counts'))`.execute(trx);
    await sql`
      WITH given AS (
        SELECT agents.id AS agent_id, (clock_timestamp() AT TIME ZONE 'UTC')::date AS day, event, dimension, value, sum(count) AS count
        FROM json_to_recordset(${JSON.stringify(counts)})
          AS one (agent text, event text, origin text, page text, language text, entry text, device text, count bigint)
        LEFT JOIN accounts ON accounts.client_id = one.agent
        JOIN agents ON agents.id = coalesce(accounts.default_agent_id, one.agent)
        CROSS JOIN LATERAL (VALUES ('origin', origin), ('page', page), ('language', language), ('entry', entry), ('device', device),
          ('version', agents.current_version::text)) AS counted (dimension, value)
        WHERE agents.removed_at IS NULL AND value IS NOT NULL AND ${isReal}
        GROUP BY 1, 2, 3, 4, 5
      ), known AS (
        SELECT DISTINCT agent_id, day, dimension, value
        FROM (SELECT agent_id, day, 'origin' AS dimension, origin AS value FROM funnel_counts
          UNION ALL SELECT agent_id, day, dimension, value FROM funnel_steps) AS stored
        JOIN (SELECT DISTINCT agent_id, day FROM given) AS touched USING (agent_id, day)
      ), fresh AS (
        SELECT agent_id, day, dimension, value, row_number() OVER (PARTITION BY agent_id, day, dimension ORDER BY value) AS place
        FROM (SELECT agent_id, day, dimension, value FROM given EXCEPT SELECT agent_id, day, dimension, value FROM known) AS unknown
      ), room AS (
        SELECT agent_id, day, dimension, ${maxValues} - count(*) AS places FROM known WHERE value <> 'other' GROUP BY 1, 2, 3
      ), added AS (
        SELECT agent_id, day, event, dimension, CASE WHEN place > coalesce(places, ${maxValues}) THEN 'other' ELSE value END AS value, sum(count) AS count
        FROM given LEFT JOIN fresh USING (agent_id, day, dimension, value) LEFT JOIN room USING (agent_id, day, dimension)
        GROUP BY 1, 2, 3, 4, 5
      ), origins AS (
        INSERT INTO funnel_counts (agent_id, day, event, origin, count)
        SELECT agent_id, day, event, value, count FROM added WHERE dimension = 'origin'
        ON CONFLICT (agent_id, day, event, origin) DO UPDATE SET count = funnel_counts.count + excluded.count
      )
      INSERT INTO funnel_steps (agent_id, day, event, dimension, value, count)
      SELECT agent_id, day, event, dimension, value, count FROM added WHERE dimension <> 'origin'
      ON CONFLICT (agent_id, day, event, dimension, value) DO UPDATE SET count = funnel_steps.count + excluded.count`.execute(
      trx,
    );
  });
}

/** The row is not from a test origin of the agent's current version. */
const isReal = sql`NOT EXISTS (
  SELECT FROM agent_versions AS v
  WHERE v.agent_id = agents.id AND v.version = agents.current_version
    AND coalesce((v.config -> 'testOrigins')::jsonb ? origin, false))`;

/** What the funnel can be broken down by. */
export type FunnelDimension =
  | "day"
  | "agent"
  | "page"
  | "language"
  | "entry"
  | "version"
  | "device";

export interface FunnelFilter {
  /** Only of these accounts, of which there may be none. */
  accountIds?: readonly number[];
  agentId?: string;
  /** From the beginning of this day in UTC. */
  since: Date;
}

export interface FunnelEventCount {
  /** `null` where it was not broken down. */
  value: string | null;
  event: FunnelEvent;
  count: number;
}

/** Counts of every release, in all or by what `funnel_counts` knows. */
export async function selectTotals(
  db: Db,
  filter: FunnelFilter,
  by?: "day" | "agent",
): Promise<FunnelEventCount[]> {
  const value = { day: sql`day::text`, agent: sql`agents.id` };
  const { rows } = await sql<FunnelEventCount>`
    SELECT ${by === undefined ? sql`NULL` : value[by]} AS value, event, sum(count)::float8 AS count
    FROM funnel_counts JOIN agents ON agents.id = agent_id
    WHERE ${chosen(filter)} AND ${isReal}
    GROUP BY 1, 2`.execute(db);
  return rows;
}

export async function selectDimension(
  db: Db,
  filter: FunnelFilter,
  dimension: Exclude<FunnelDimension, "day" | "agent">,
): Promise<FunnelEventCount[]> {
  const { rows } = await sql<FunnelEventCount>`
    SELECT value, event, sum(count)::float8 AS count
    FROM funnel_steps JOIN agents ON agents.id = agent_id
    WHERE ${chosen(filter)} AND dimension = ${dimension}
    GROUP BY 1, 2`.execute(db);
  return rows;
}

const chosen = ({ accountIds, agentId, since }: FunnelFilter): RawBuilder<unknown> => sql`
  day >= (${since}::timestamptz AT TIME ZONE 'UTC')::date
  AND (${accountIds ?? null}::integer[] IS NULL OR agents.account_id = ANY (${accountIds ?? null}))
  AND (${agentId ?? null}::text IS NULL OR agents.id = ${agentId ?? null})`;
