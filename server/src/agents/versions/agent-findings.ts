import type { Db } from "#platform";
import { selectAgentFindings } from "./agent-findings-store.ts";
import type { AgentFinding } from "./agent-findings-store.ts";

export type { AgentFinding } from "./agent-findings-store.ts";

/** Every agent, for the doctor, those without a version included. */
export async function agentFindings(db: Db): Promise<AgentFinding[]> {
  return selectAgentFindings(db);
}
