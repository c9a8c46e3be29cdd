import { audit } from "#accounts";
import { AppError, newAgentId } from "#platform";
import type { Cell, Db, Trx } from "#platform";
import type { AgentConfig } from "../config/agent-config.ts";
import type { FileWithBytes } from "../file/load-files.ts";
import { insertAgent, insertNextVersion, lockAgent, selectFiles, selectVersion } from "./store.ts";

/** The version of an agent that a session runs. */
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
  files: FileWithBytes[] = [],
): Promise<AgentVersion> {
  const id = newAgentId(cell);
  if (!(await insertAgent(trx, { id, accountId, slug }))) {
    throw new AppError("conflict", {
      what: `The account has an agent "${slug}" already.`,
      why: "A name stands for one agent of an account.",
      fix: "Write a new version of that one, or choose another name.",
    });
  }
  await audit(trx, { actor, action: "agent.add", accountId, subject: id, detail: { slug } });
  return addAgentVersion(trx, actor, accountId, id, config, files);
}

/** A version never changes once written; a session names the one it ran. New sessions run the newest. */
export async function addAgentVersion(
  trx: Trx,
  actor: string,
  accountId: number,
  agentId: string,
  config: AgentConfig,
  files: FileWithBytes[] = [],
): Promise<AgentVersion> {
  if ((await lockAgent(trx, accountId, { id: agentId })) === undefined) {
    throw new AppError("not_found", {
      what: `There is no agent ${agentId}.`,
      why: "No agent of this account was ever added under that id.",
      fix: "Run `svc agents list` to see which there are.",
    });
  }
  const version = await insertNextVersion(trx, agentId, { config, files, createdBy: actor });
  await audit(trx, {
    actor,
    action: "agent.version",
    accountId,
    subject: agentId,
    detail: { version },
  });
  return { agentId, version };
}

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
