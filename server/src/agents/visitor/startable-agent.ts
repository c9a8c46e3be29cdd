import { DEFAULT_LIMITS } from "#accounts";
import type { AccountLimits } from "#accounts";
import type { Db } from "#platform";
import type { AgentConfig } from "../config/agent-config.ts";
import type { AgentVersion } from "../versions/agent.ts";
import type { AgentState } from "../versions/store.ts";
import { selectStartable } from "./visitor-store.ts";

/** An agent as visitors meet it: the version that new sessions run, and where it stops. */
export interface StartableAgent extends AgentVersion {
  accountId: number;
  state: AgentState;
  config: AgentConfig;
  /** The account's, which hold beside the agent's own. */
  accountLimits: AccountLimits;
}

/**
 * Finds an agent by what a page names: the agent's id, or the account's client id, which stands for
 * its default agent. Whatever is not found takes as long as anything else that is not.
 */
export async function findStartableAgent(
  db: Db,
  named: string,
): Promise<StartableAgent | undefined> {
  const found = await selectStartable(db, storableName(named));
  if (found === undefined) return undefined;
  const { limits, ...agent } = found;
  return { ...agent, accountLimits: { ...DEFAULT_LIMITS, ...limits } };
}

/** What cannot be an id is looked up all the same, as one that nobody has: PostgreSQL refuses some characters. */
export function storableName(named: string): string {
  return /^(?:agent|client)_[a-z0-9]{1,60}$/.test(named) ? named : "none";
}
