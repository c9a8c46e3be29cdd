import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readTalks } from "@svc/rehearsal";
import type { Talk } from "@svc/rehearsal";
import { addCustomer, applyFolder, changeAccount, NO_START_LIMITS } from "@svc/server/testing";
import type { Customer } from "@svc/server/testing";
import type { Stage } from "../../stage/stage.ts";

/** Where the talks are, and who has their agents. */
export interface Corpus {
  talks: Talk[];
  customer: Customer;
  /** By the name of its folder. */
  agents: Map<string, CorpusAgent>;
}

export interface CorpusAgent {
  agentId: string;
  origin: string;
}

export async function applyCorpus({ database: { db } }: Stage, folder: string): Promise<Corpus> {
  const talks = readTalks(folder);
  const customer = await addCustomer(db);
  await changeAccount(db, customer, { limits: NO_START_LIMITS });
  const agents: Corpus["agents"] = new Map();
  for (const name of new Set(talks.map(({ agent }) => agent))) {
    const path = join(folder, "agents", name);
    const { agentId } = await applyFolder(db, customer.account.id, path);
    const yaml = await readFile(join(path, "agent.yaml"), "utf8");
    const origin = /^allowed_origins:\s*-\s*(\S+)/mu.exec(yaml)?.[1];
    agents.set(name, { agentId, origin: origin ?? "https://shop.example.com" });
  }
  return { talks, customer, agents };
}
