import { audit } from "#accounts";
import { AppError, newAgentId } from "#platform";
import type { Cell, Trx } from "#platform";
import { insertAgent, insertNextVersion } from "./store.ts";

/** What one version of an agent says and does. Its full shape comes with agents as code. */
export type AgentConfig = Record<string, unknown>;

export interface AgentVersion {
  agentId: string;
  version: number;
}

export async function addAgent(
  trx: Trx,
  actor: string,
  cell: Cell,
  accountId: number,
  slug: string,
  config: AgentConfig,
): Promise<AgentVersion> {
  const id = newAgentId(cell);
  await insertAgent(trx, { id, accountId, slug });
  await audit(trx, { actor, action: "agent.add", accountId, subject: id, detail: { slug } });
  return addAgentVersion(trx, actor, accountId, id, config);
}

/** A version never changes once written; a session names the one it ran. */
export async function addAgentVersion(
  trx: Trx,
  actor: string,
  accountId: number,
  agentId: string,
  config: AgentConfig,
): Promise<AgentVersion> {
  const version = await insertNextVersion(trx, agentId, config);
  if (version === undefined) throw new AppError("not_found", `There is no agent ${agentId}.`);
  await audit(trx, {
    actor,
    action: "agent.version",
    accountId,
    subject: agentId,
    detail: { version },
  });
  return { agentId, version };
}
