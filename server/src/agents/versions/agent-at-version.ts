import { AppError } from "#platform";
import type { Db } from "#platform";
import type { AgentVersion } from "./agent.ts";
import type { AgentConfig } from "../config/agent-config.ts";
import { selectFiles, selectVersion } from "./store.ts";

/** One version of an agent, with the texts of its knowledge. */
export interface AgentAtVersion {
  config: AgentConfig;
  knowledge: string[];
}

export async function readAgentAtVersion(
  db: Db,
  { agentId, version }: AgentVersion,
): Promise<AgentAtVersion> {
  const config = await selectVersion(db, agentId, version);
  if (config === undefined) {
    throw new AppError("not_found", {
      what: `There is no version ${version} of agent ${agentId}.`,
      why: "It was never applied here.",
      fix: `Run \`svc agents show ${agentId}\` to see which there are.`,
    });
  }
  const hashes = config.knowledge.map(({ sha256 }) => sha256);
  const files = await selectFiles(db, hashes);
  return { config, knowledge: hashes.map((hash) => files.get(hash)?.toString("utf8") ?? "") };
}
