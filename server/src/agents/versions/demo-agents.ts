import type { Db } from "#platform";
import type { AgentVersion } from "./agent.ts";
import { readDemoAgent } from "./demo-agent.ts";
import type { DemoAgent } from "./demo-agent.ts";

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
