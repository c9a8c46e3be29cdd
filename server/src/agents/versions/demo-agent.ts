import type { Db } from "#platform";
import type { AgentVersion } from "./agent.ts";
import { readAgentAtVersion } from "./agent-at-version.ts";
import type { AgentConfig } from "../config/agent-config.ts";
import { knowledgeSections } from "../knowledge/knowledge-sections.ts";
import type { KnowledgeSection } from "../knowledge/knowledge-sections.ts";

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
