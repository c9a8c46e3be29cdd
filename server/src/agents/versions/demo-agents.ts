import type { Db } from "#platform";
import type { AgentConfig } from "../config/agent-config.ts";
import { knowledgeSections } from "../knowledge/knowledge-sections.ts";
import type { KnowledgeSection } from "../knowledge/knowledge-sections.ts";
import { readAgentAtVersion } from "./agent.ts";
import { readContentTexts } from "./content-texts.ts";
import type { ContentTexts } from "./content-texts.ts";
import type { AgentVersion } from "./agent.ts";

/** Far more agents than a process serves at a time, and a few megabytes at most. */
const MAX_KEPT = 100;

/**
 * A cache of agents for conversations. Each version is read once, and all of its conversations
 * share one object, so that results derived from it can be cached with it. A version never changes.
 */
export class DemoAgents {
  readonly #db: Db;
  readonly #maxKept: number;
  /** Least recently used first. */
  readonly #kept = new Map<string, Promise<DemoAgent>>();

  constructor(db: Db, maxKept: number = MAX_KEPT) {
    this.#db = db;
    this.#maxKept = maxKept;
  }

  read(version: AgentVersion): Promise<DemoAgent> {
    const key = `${version.agentId} ${version.version}`;
    const agent = this.#kept.get(key) ?? readDemoAgent(this.#db, version);
    this.#kept.delete(key);
    this.#kept.set(key, agent);
    // A failed read is not cached: the next conversation tries again.
    agent.catch(() => this.#kept.delete(key));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#maxKept) break;
      this.#kept.delete(oldest);
    }
    return agent;
  }
}

/** An agent as a conversation needs it. */
export interface DemoAgent extends Partial<ContentTexts> {
  config: AgentConfig;
  /** Every section of its knowledge, in order. */
  knowledge: KnowledgeSection[];
}

async function readDemoAgent(db: Db, version: AgentVersion): Promise<DemoAgent> {
  const { config, knowledge } = await readAgentAtVersion(db, version);
  const files = config.knowledge.map(({ path }, index) => ({ path, text: knowledge[index] ?? "" }));
  return {
    config,
    knowledge: knowledgeSections(files),
    ...(await readContentTexts(db, config)),
  };
}
