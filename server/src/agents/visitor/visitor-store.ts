import type { AccountLimits } from "#accounts";
import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import type { AgentConfig, StoredFile } from "../config/agent-config.ts";
import type { AgentState } from "../versions/store.ts";

/** An agent by its own id, or the default agent of the account with that client id. */
const agentNamed = (named: string) =>
  sql<string>`coalesce((SELECT default_agent_id FROM accounts WHERE client_id = ${named}), ${named})`;

export interface StartableRow {
  agentId: string;
  accountId: number;
  state: AgentState;
  version: number;
  config: AgentConfig;
  /** Only limits that differ from the defaults. */
  limits: Partial<AccountLimits>;
}

export async function selectStartable(
  db: Db | Trx,
  named: string,
): Promise<StartableRow | undefined> {
  const { rows } = await sql<StartableRow>`
    SELECT agents.id AS "agentId", agents.account_id AS "accountId", agents.state, v.version, v.config, accounts.limits
    FROM agents
    JOIN agent_versions AS v ON v.agent_id = agents.id AND v.version = agents.current_version
    JOIN accounts ON accounts.id = agents.account_id
    WHERE agents.id = ${agentNamed(named)} AND agents.removed_at IS NULL`.execute(db);
  return rows[0];
}

/**
 * A file that some version of the agent shows as its logo, avatar or content, or that has our texts in
 * one of its languages. Its knowledge is not for visitors.
 */
export async function selectShownFile(
  db: Db,
  named: string,
  sha256: string,
): Promise<StoredFile | undefined> {
  const { rows } = await sql<{ file: StoredFile }>`
    SELECT shown.file
    FROM agent_version_files AS used
    JOIN agent_versions AS v ON v.agent_id = used.agent_id AND v.version = used.version
    CROSS JOIN LATERAL (
      SELECT v.config -> 'brand' -> 'logo' AS file
      UNION ALL SELECT v.config -> 'avatar' -> 'poster'
      UNION ALL SELECT v.config -> 'avatar' -> 'loop'
      UNION ALL
      SELECT language -> 'wordsFile' FROM json_array_elements(v.config -> 'languages') AS language
      UNION ALL
      SELECT part
      FROM json_array_elements(v.config -> 'content') AS one,
        LATERAL (
          SELECT one
          UNION ALL SELECT json_array_elements(coalesce(one -> 'languages', '[]'))
        ) AS translated (content),
        LATERAL (
          SELECT translated.content -> 'file'
          UNION ALL SELECT translated.content -> 'slide'
          UNION ALL SELECT json_array_elements(coalesce(translated.content -> 'media', '[]'))
        ) AS parts (part)
    ) AS shown
    WHERE used.sha256 = ${Buffer.from(sha256, "hex")} AND used.agent_id = ${agentNamed(named)}
      AND shown.file ->> 'sha256' = ${sha256}
    ORDER BY v.version DESC
    LIMIT 1`.execute(db);
  return rows[0]?.file;
}
