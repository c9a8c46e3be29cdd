import type { Db } from "#platform";
import { sql } from "kysely";

export interface StepsFilter {
  accountId?: number;
  agentId?: string;
  since: Date;
}

export type StepsDimension = "day" | "agent" | "page" | "language" | "version";

/** How far the sessions of one value of a dimension came. */
export interface SessionSteps {
  /** `null` where it was not broken down, or is not known. */
  value: string | null;
  started: number;
  /** The visitor said something. */
  talked: number;
  emailGiven: number;
  evaluated: number;
  qualified: number;
}

const VALUES = {
  day: sql`(s.created_at AT TIME ZONE 'UTC')::date::text`,
  agent: sql`s.agent_id`,
  page: sql`s.page`,
  language: sql`s.language`,
  version: sql`s.agent_version::text`,
} as const;

/**
 * Sessions that visitors started: neither tests nor imported ones. What was said is looked up only of
 * sessions that are not settled; of the others the status tells it.
 */
export async function selectSteps(
  db: Db,
  { accountId, agentId, since }: StepsFilter,
  by?: StepsDimension,
): Promise<SessionSteps[]> {
  const { rows } = await sql<SessionSteps>`
    SELECT value, count(*)::integer AS started, count(*) FILTER (WHERE talked)::integer AS talked,
      count(*) FILTER (WHERE talked AND email IS NOT NULL)::integer AS "emailGiven",
      count(*) FILTER (WHERE status = 'processed')::integer AS evaluated,
      count(*) FILTER (WHERE status = 'processed' AND qualification = 'qualified')::integer AS qualified
    FROM (
      SELECT ${by === undefined ? sql`NULL` : VALUES[by]} AS value, s.email, s.status,
        CASE WHEN s.settled_at IS NOT NULL THEN s.status <> 'abandoned'
          ELSE EXISTS (SELECT FROM turns AS t WHERE t.session_at = s.created_at AND t.session_id = s.id AND t.role = 'user')
        END AS talked,
        x.evaluation::json -> 'qualification' ->> 'status' AS qualification
      FROM sessions AS s
      LEFT JOIN session_exports AS x ON x.account_id = s.account_id AND x.created_at = s.created_at AND x.id = s.id
      WHERE NOT s.test AND s.end_reason IS DISTINCT FROM 'imported' AND s.created_at >= ${since}
        AND (${accountId ?? null}::integer IS NULL OR s.account_id = ${accountId ?? null})
        AND (${agentId ?? null}::text IS NULL OR s.agent_id = ${agentId ?? null})
    ) AS one
    GROUP BY 1`.execute(db);
  return rows;
}
