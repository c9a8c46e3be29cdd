import type { Cell, Trx } from "#platform";
import { addAgent, addAgentVersion } from "./agent.ts";
import type { AgentVersion } from "./agent.ts";
import type { AgentSource } from "../file/read-agent.ts";
import { planAgent } from "../config/plan-agent.ts";
import type { AgentPlan } from "../config/plan-agent.ts";
import { lockAgent } from "./store.ts";

export interface AppliedAgent extends AgentVersion {
  /** What was different from the version before. Without a change there is no new version. */
  plan: AgentPlan;
}

/** Makes the folder's agent the one that new sessions run. The same folder again changes nothing. */
export async function applyAgent(
  trx: Trx,
  actor: string,
  cell: Cell,
  accountId: number,
  source: AgentSource,
): Promise<AppliedAgent> {
  const { slug, config, files } = source;
  const agent = await lockAgent(trx, accountId, { slug });
  const plan = await planAgent(trx, accountId, source);
  if (agent === undefined)
    return { plan, ...(await addAgent(trx, actor, cell, accountId, slug, config, files)) };
  if (plan.current !== undefined && plan.changes.length === 0) return { plan, ...plan.current };
  return { plan, ...(await addAgentVersion(trx, actor, accountId, agent.id, config, files)) };
}
