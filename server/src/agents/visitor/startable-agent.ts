import { DEFAULT_LIMITS } from "#accounts";
import type { AccountLimits } from "#accounts";
import type { Db } from "#platform";
import type { AgentConfig, StoredFile } from "../config/agent-config.ts";
import type { AgentVersion } from "../versions/agent.ts";
import { selectFiles } from "../versions/store.ts";
import type { AgentState } from "../versions/store.ts";
import { selectShownFile, selectStartable } from "./visitor-store.ts";

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
function storableName(named: string): string {
  return /^(?:agent|client)_[a-z0-9]{1,60}$/.test(named) ? named : "none";
}

/** A logo, a face or a content of any version of the agent, by its hash in hex. Knowledge is never found. */
export async function findShownFile(
  db: Db,
  named: string,
  sha256: string,
): Promise<StoredFile | undefined> {
  if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  return selectShownFile(db, storableName(named), sha256);
}

export async function readShownFile(db: Db, { sha256 }: StoredFile): Promise<Buffer> {
  // There is always one: a version refers to its files.
  return (await selectFiles(db, [sha256])).get(sha256)!;
}
