import type { Db } from "#platform";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

export interface TalliesFilter {
  /** Only of these accounts, of which there may be none. */
  accountIds?: readonly number[];
  agentId?: string;
  /** From the beginning of this day in UTC. */
  since: Date;
}

export type TalliesDimension =
  | "day"
  | "agent"
  | "version"
  | "page"
  | "language"
  | "entry"
  | "device";

/** How far the sessions of one value of a dimension came, and what they cost. */
export interface SessionTally {
  /** `null` where it was not broken down, or is not known. */
  value: string | null;
  started: number;
  /** The visitor's microphone was open. */
  microphone: number;
  /** The visitor said something. */
  talked: number;
  emailGiven: number;
  evaluated: number;
  qualified: number;
  /** Qualified, and arrived at every receiver. */
  delivered: number;
  /** Not evaluated in the end. */
  failed: number;
  /** A question was left without an answer. */
  unanswered: number;
  /** Of models and speech, tests included. */
  costMicros: number;
  /** Sessions in which something had no price. */
  unpriced: number;
}

const VALUES: Partial<Record<TalliesDimension, RawBuilder<unknown>>> = {
  day: sql`day::text`,
  agent: sql`agent_id`,
};

/** Sums of settled sessions. */
export async function selectTallies(
  db: Db,
  filter: TalliesFilter,
  by?: TalliesDimension,
): Promise<SessionTally[]> {
  const isOfAll = by === undefined || by in VALUES;
  const value = by === undefined ? sql`NULL` : (VALUES[by] ?? sql`nullif(value, '')`);
  const { rows } = await sql<SessionTally>`
    SELECT ${value} AS value, sum(started)::float8 AS started, sum(microphone)::float8 AS microphone, sum(talked)::float8 AS talked,
      sum(email_given)::float8 AS "emailGiven", sum(evaluated)::float8 AS evaluated, sum(qualified)::float8 AS qualified,
      sum(delivered)::float8 AS delivered, sum(failed)::float8 AS failed, sum(cost_micros)::float8 AS "costMicros",
      sum(unpriced)::float8 AS unpriced, sum(unanswered)::float8 AS unanswered
    FROM session_tallies
    WHERE dimension = ${isOfAll ? "all" : by} AND ${ofDays(filter)}
    GROUP BY 1`.execute(db);
  return rows;
}

/** How many answers began, or interrupted sentences ended, after so many milliseconds. */
export interface TimeCount {
  value: string | null;
  kind: "answer" | "cut";
  ms: number;
  count: number;
}

/** In the order of their length. */
export async function selectTimes(
  db: Db,
  filter: TalliesFilter,
  by?: "day" | "agent",
): Promise<TimeCount[]> {
  const { rows } = await sql<TimeCount>`
    SELECT ${by === undefined ? sql`NULL` : VALUES[by]!} AS value, kind, ms, sum(count)::float8 AS count
    FROM session_times
    WHERE ${ofDays(filter)}
    GROUP BY 1, 2, 3
    HAVING sum(count) > 0
    ORDER BY 2, 3`.execute(db);
  return rows;
}

const ofDays = ({ accountIds, agentId, since }: TalliesFilter): RawBuilder<unknown> => sql`
  day >= (${since}::timestamptz AT TIME ZONE 'UTC')::date
  AND ${accountIds === undefined ? sql`true` : sql`agent_id IN (SELECT id FROM agents WHERE account_id = ANY (${accountIds}::integer[]))`}
  AND ${agentId === undefined ? sql`true` : sql`agent_id = ${agentId}`}`;

/** A session that visitors started and that is not settled yet. */
export interface UnsettledSession {
  createdAt: Date;
  agentId: string;
  version: string;
  page: string | null;
  language: string | null;
  entry: string | null;
  device: string | null;
  microphone: boolean;
  talked: boolean;
  emailGiven: boolean;
}

/** They are as many as are going on and wait for their evaluation. */
export async function selectUnsettled(
  db: Db,
  { accountIds, agentId, since }: TalliesFilter,
): Promise<UnsettledSession[]> {
  const { rows } = await sql<UnsettledSession>`
    SELECT "createdAt", "agentId", version, page, language, entry, device, microphone, talked, talked AND has_email AS "emailGiven"
    FROM (
      SELECT s.created_at AS "createdAt", s.agent_id AS "agentId", s.agent_version::text AS version, s.page, s.language, s.entry, s.device,
        s.email IS NOT NULL AS has_email,
        EXISTS (SELECT FROM turns AS t WHERE t.session_at = s.created_at AND t.session_id = s.id AND t.role = 'user') AS talked,
        EXISTS (SELECT FROM session_events AS e WHERE e.session_at = s.created_at AND e.session_id = s.id AND e.kind = 'microphone') AS microphone
      FROM sessions AS s
      WHERE s.settled_at IS NULL AND NOT s.test AND s.end_reason IS DISTINCT FROM 'imported' AND s.created_at >= ${since}
        AND ${accountIds === undefined ? sql`true` : sql`s.account_id = ANY (${accountIds}::integer[])`}
        AND ${agentId === undefined ? sql`true` : sql`s.agent_id = ${agentId}`}
    ) AS unsettled`.execute(db);
  return rows;
}
