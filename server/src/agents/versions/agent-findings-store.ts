import type { Db } from "#platform";
import { sql } from "kysely";
import type { AgentState } from "./store.ts";

/** What an operator should know of an agent, without its whole configuration. */
export interface AgentFinding {
  slug: string;
  account: string;
  state: AgentState;
  hasVersion: boolean;
  /** Visitors reach it when a page names only the account. */
  isDefault: boolean;
  /** The languages that it speaks in by the provider's own voice. */
  languagesWithoutVoice: string[];
  /** It or its account has a limit in money. */
  hasCostLimit: boolean;
}

export async function selectAgentFindings(db: Db): Promise<AgentFinding[]> {
  const { rows } = await sql<AgentFinding>`
    SELECT agents.slug, accounts.name AS account, agents.state, v.version IS NOT NULL AS "hasVersion",
      accounts.default_agent_id IS NOT DISTINCT FROM agents.id AS "isDefault",
      ARRAY(
        SELECT language ->> 'code' FROM json_array_elements(v.config -> 'languages') AS language
        WHERE language ->> 'voice' IS NULL AND v.config ->> 'modes' LIKE '%voice%') AS "languagesWithoutVoice",
      coalesce(v.config -> 'limits' ->> 'dailyCost', accounts.limits ->> 'daily_cost_micros_per_agent',
        accounts.limits ->> 'cost_micros_per_session') IS NOT NULL AS "hasCostLimit"
    FROM agents
    JOIN accounts ON accounts.id = agents.account_id
    LEFT JOIN agent_versions AS v ON v.agent_id = agents.id AND v.version = agents.current_version
    ORDER BY accounts.name, agents.slug`.execute(db);
  return rows;
}
