import type { Db } from "#platform";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

export interface CostsFilter {
  accountId?: number;
  agentId?: string;
  /** When their sessions started. */
  since: Date;
}

/** What one model was used for, in sum. */
export interface ModelCosts {
  /** The day or the agent; `null` where it was not broken down. */
  value: string | null;
  purpose: "conversation" | "evaluation";
  /** `speech` for speech-to-text and text-to-speech together; `null` where it was not recorded. */
  model: string | null;
  inputTokens: number;
  outputTokens: number;
  costMicros: number;
  /** Tokens that cost nothing when they were used: they had no price, or the price zero. */
  tokensAtZero: number;
}

const VALUES = {
  day: sql`(s.created_at AT TIME ZONE 'UTC')::date::text`,
  agent: sql`s.agent_id`,
} as const;

/** Test sessions cost the same, and are included. */
export async function selectCosts(
  db: Db,
  filter: CostsFilter,
  by?: "day" | "agent",
): Promise<ModelCosts[]> {
  const value = by === undefined ? sql`NULL::text` : VALUES[by];
  const { rows } = await sql<ModelCosts>`
    SELECT value, purpose, model, sum(input)::float8 AS "inputTokens", sum(output)::float8 AS "outputTokens",
      sum(cost)::float8 AS "costMicros", coalesce(sum(input + output) FILTER (WHERE cost = 0), 0)::float8 AS "tokensAtZero"
    FROM (
      SELECT ${value} AS value, 'conversation' AS purpose, u.model, u.input_tokens AS input, u.output_tokens AS output, u.cost_micros AS cost
      FROM sessions AS s JOIN session_usage AS u ON u.session_id = s.id WHERE ${chosen(filter)}
      UNION ALL
      SELECT ${value}, 'evaluation', e.model, e.input_tokens, coalesce(e.output_tokens, 0), coalesce(e.cost_micros, 0)
      FROM sessions AS s JOIN evaluations AS e ON e.session_id = s.id AND e.input_tokens IS NOT NULL WHERE ${chosen(filter)}
    ) AS used
    GROUP BY 1, 2, 3`.execute(db);
  return rows;
}

/** Conversations by voice for which no cost of speech was recorded. */
export async function selectSilentCosts(db: Db, filter: CostsFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM sessions AS s
    WHERE ${chosen(filter)} AND s.mode = 'voice'
      AND EXISTS (SELECT FROM session_usage AS u WHERE u.session_id = s.id)
      AND NOT EXISTS (SELECT FROM session_usage AS u WHERE u.session_id = s.id AND u.model = 'speech')`.execute(
    db,
  );
  return rows[0]!.count;
}

const chosen = ({ accountId, agentId, since }: CostsFilter): RawBuilder<unknown> => sql`
  s.created_at >= ${since}
  AND (${accountId ?? null}::integer IS NULL OR s.account_id = ${accountId ?? null})
  AND (${agentId ?? null}::text IS NULL OR s.agent_id = ${agentId ?? null})`;
