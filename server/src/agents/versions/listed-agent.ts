import { audit } from "#accounts";
import { AppError } from "#platform";
import type { Db, Trx } from "#platform";
import { lockAgent, selectAgents, selectVersions, updateState } from "./store.ts";
import type { AgentRow, AgentState, VersionRow } from "./store.ts";

export type { AgentState } from "./store.ts";

/** An agent with its current version. */
export type ListedAgent = AgentRow;

export async function listAgents(db: Db, accountId?: number): Promise<ListedAgent[]> {
  return selectAgents(db, accountId === undefined ? {} : { accountId });
}

/** Finds an agent by what an operator types: its id, or its slug where no other account has the same. */
export async function findAgent(
  db: Db | Trx,
  text: string,
  accountId?: number,
): Promise<ListedAgent> {
  const named = text.trim();
  const [found, other] = await selectAgents(db, {
    named,
    ...(accountId !== undefined && { accountId }),
  });
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
