import { audit, changeSettings, readSettings } from "#accounts";
import { AppError } from "#platform";
import type { Db, Trx } from "#platform";
import { lockAgent, selectAgents, selectVersions, updateRemoved, updateState } from "./store.ts";
import type { AgentRow, AgentState, VersionRow } from "./store.ts";

export type { AgentState } from "./store.ts";

/** An agent with its current version. */
export type ListedAgent = AgentRow;

/** Those that have not been removed, or all. */
export async function listAgents(
  db: Db,
  accountId?: number,
  { removed = false }: { removed?: boolean } = {},
): Promise<ListedAgent[]> {
  const agents = await selectAgents(db, accountId === undefined ? {} : { accountId });
  return removed ? agents : agents.filter(({ removedAt }) => removedAt === null);
}

/**
 * Finds an agent by what an operator types: its id, or its slug where no other account has the same.
 *
 * @param options.removed to read about sessions: also finds an agent that was removed.
 */
export async function findAgent(
  db: Db | Trx,
  text: string,
  accountId?: number,
  { removed = false }: { removed?: boolean } = {},
): Promise<ListedAgent> {
  const named = text.trim();
  const all = await selectAgents(db, {
    named,
    ...(accountId !== undefined && { accountId }),
  });
  const agents = all.filter(({ removedAt }) => removedAt === null);
  const [found, other] = agents.length === 0 && removed ? all : agents;
  if (found === undefined && all[0]?.removedAt instanceof Date) throw wasRemoved(all[0]);
  if (found === undefined) {
    throw new AppError("not_found", {
      what: `There is no agent "${named}".`,
      why: "No agent has that id or that folder's name.",
      fix: "Run `svc agents list` to see which there are.",
    });
  }
  if (other !== undefined) {
    throw new AppError("conflict", {
      what: `"${named}" fits several agents.`,
      why: "More than one account has an agent of that name.",
      fix: "Give the agent's id; `svc agents list` shows it.",
    });
  }
  return found;
}

function wasRemoved({ slug, removedAt }: ListedAgent): AppError {
  return new AppError("not_found", {
    what: `The agent "${slug}" was removed.`,
    why: `It starts no sessions since ${removedAt!.toISOString()}. Those it had are kept.`,
    fix: "Run `svc agents apply` with its folder to bring it back under the same id.",
  });
}

const MAX_VERSIONS = 20;

/** The newest versions, the latest first. */
export async function listVersions(db: Db, agentId: string): Promise<VersionRow[]> {
  return selectVersions(db, agentId, MAX_VERSIONS);
}

/**
 * Pauses or resumes an agent. A paused agent starts no sessions, and running ones continue. False
 * when nothing changed.
 */
export async function setAgentState(
  trx: Trx,
  actor: string,
  { id, accountId }: ListedAgent,
  state: AgentState,
): Promise<boolean> {
  const agent = await lockAgent(trx, accountId, { id });
  if (agent === undefined || agent.state === state) return false;
  await updateState(trx, id, state);
  const action = state === "paused" ? "agent.pause" : "agent.resume";
  await audit(trx, { actor, action, accountId, subject: id });
  return true;
}

/**
 * Removes an agent: pages get `agent_unknown`, and it is no longer listed. Its versions are kept,
 * because the sessions that ran them refer to them. Running conversations continue.
 */
export async function removeAgent(trx: Trx, actor: string, agent: ListedAgent): Promise<void> {
  const { id, accountId, slug } = agent;
  const locked = await lockAgent(trx, accountId, { id });
  if (locked === undefined || locked.removedAt !== null) return;
  const { defaultAgentId } = await readSettings(trx, accountId);
  if (defaultAgentId === id) await changeSettings(trx, actor, accountId, { defaultAgentId: null });
  await updateRemoved(trx, id, true);
  await audit(trx, { actor, action: "agent.remove", accountId, subject: id, detail: { slug } });
}
