import type { Db } from "#platform";
import type { AgentConfig } from "../config/agent-config.ts";
import { knowledgeSections } from "../knowledge/knowledge-sections.ts";
import type { KnowledgeSection } from "../knowledge/knowledge-sections.ts";
import { readAgentAtVersion } from "./agent.ts";
import type { AgentVersion } from "./agent.ts";

/** Far more than a process talks for at a time, and a few megabytes at the most. */
const MOST_KEPT = 100;

/**
 * Agents as conversations need them, each version read once and the same object for all of its
 * conversations: what is worked out from it can be kept with it. A version never changes.
 */
export class DemoAgents {
  readonly #db: Db;
  readonly #mostKept: number;
  /** The longest unused first. */
  readonly #kept = new Map<string, Promise<DemoAgent>>();

  constructor(db: Db, mostKept: number = MOST_KEPT) {
    this.#db = db;
    this.#mostKept = mostKept;
  }

  read(version: AgentVersion): Promise<DemoAgent> {
    const key = `${version.agentId} ${version.version}`;
    const agent = this.#kept.get(key) ?? readDemoAgent(this.#db, version);
    this.#kept.delete(key);
    this.#kept.set(key, agent);
    // What could not be read is asked for again.
    agent.catch(() => this.#kept.delete(key));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#mostKept) break;
      this.#kept.delete(oldest);
    }
    return agent;
  }
}

/** An agent as a conversation needs it. */
export interface DemoAgent {
  config: AgentConfig;
  /** Every section of its knowledge, in order. */
  knowledge: KnowledgeSection[];
}

export async function readDemoAgent(db: Db, version: AgentVersion): Promise<DemoAgent> {
  const { config, knowledge } = await readAgentAtVersion(db, version);
  const files = config.knowledge.map(({ path }, index) => ({ path, text: knowledge[index] ?? "" }));
  return { config, knowledge: knowledgeSections(files) };
}
