import type { Generated, JSONColumnType } from "kysely";
import type { Db, Trx } from "#platform";
import type { AgentConfig } from "./agent.ts";

type AgentsTables = {
  agents: { id: string; account_id: number; slug: string; state: Generated<"live" | "paused"> };
  agent_versions: { agent_id: string; version: number; config: JSONColumnType<AgentConfig> };
};

const tables = (db: Db | Trx) => db.withTables<AgentsTables>();

export async function insertAgent(
  trx: Trx,
  agent: { id: string; accountId: number; slug: string },
): Promise<void> {
  await tables(trx)
    .insertInto("agents")
    .values({ id: agent.id, account_id: agent.accountId, slug: agent.slug })
    .execute();
}

/** Adds the next version. The agent's row is locked, so two writers get two numbers. */
export async function insertNextVersion(
  trx: Trx,
  agentId: string,
  config: AgentConfig,
): Promise<number | undefined> {
  const agent = await tables(trx)
    .selectFrom("agents")
    .select("id")
    .where("id", "=", agentId)
    .forUpdate()
    .executeTakeFirst();
  if (agent === undefined) return undefined;
  const newest = await tables(trx)
    .selectFrom("agent_versions")
    .select("version")
    .where("agent_id", "=", agentId)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  const version = (newest?.version ?? 0) + 1;
  await tables(trx)
    .insertInto("agent_versions")
    .values({ agent_id: agentId, version, config: JSON.stringify(config) })
    .execute();
  return version;
}
