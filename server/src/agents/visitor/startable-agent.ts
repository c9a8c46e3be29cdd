import { DEFAULT_LIMITS } from "#accounts";
import type { AccountLimits } from "#accounts";
import type { Db, Trx } from "#platform";
import type { AgentConfig, StoredFile } from "../config/agent-config.ts";
import type { AgentVersion } from "../versions/agent.ts";
import { selectFiles } from "../versions/store.ts";
import type { AgentState } from "../versions/store.ts";
import { selectShownFile, selectStartable } from "./visitor-store.ts";

/** An agent as visitors meet it: the version that new sessions run, and its limits. */
export interface StartableAgent extends AgentVersion {
  accountId: number;
  state: AgentState;
  config: AgentConfig;
  /** The account's limits, which apply in addition to the agent's own. */
  accountLimits: AccountLimits;
}

/**
 * Finds an agent by what a page names: the agent's id, or the account's client id, which stands for
 * its default agent. Every failure takes the same time, so that timing does not reveal which names
 * exist.
 */
export async function findStartableAgent(
  db: Db | Trx,
  named: string,
): Promise<StartableAgent | undefined> {
  const found = await selectStartable(db, storableName(named));
  if (found === undefined) return undefined;
  const { limits, ...agent } = found;
  return { ...agent, accountLimits: { ...DEFAULT_LIMITS, ...limits } };
}

/** Replaces names that cannot be ids by one that nobody has, because PostgreSQL rejects some characters. */
function storableName(named: string): string {
  return /^(?:agent|client)_[a-z0-9]{1,60}$/.test(named) ? named : "none";
}

/**
 * Finds a logo, an avatar or a content file of any version of the agent by its hash in hex.
 * Knowledge files are never found.
 */
export async function findShownFile(
  db: Db,
  named: string,
  sha256: string,
): Promise<StoredFile | undefined> {
  if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  return selectShownFile(db, storableName(named), sha256);
}

export async function readShownFile(db: Db, { sha256 }: StoredFile): Promise<Buffer> {
  // It exists, because a version refers to its files.
  return (await selectFiles(db, [sha256])).get(sha256)!;
}
