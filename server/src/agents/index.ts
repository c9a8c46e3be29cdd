export type { AgentConfig, StoredFile } from "./agent-config.ts";
export { type AgentAtVersion, readAgentAtVersion } from "./agent-at-version.ts";
export { addAgent, addAgentVersion, type AgentVersion } from "./agent.ts";
export { type AppliedAgent, applyAgent } from "./apply-agent.ts";
export { type AgentSource, readAgent } from "./file/read-agent.ts";
export { plainConfig } from "./file/resolve-config.ts";
export { AgentFileError, type Mistake } from "./file/mistake.ts";
export {
  findAgent,
  listAgents,
  type ListedAgent,
  listVersions,
  setAgentState,
} from "./listed-agent.ts";
export { type AgentPlan, planAgent, type PlannedChange, type PlanWarning } from "./plan-agent.ts";
export { describeConfig } from "./describe-config.ts";
export type { AgentState } from "./store.ts";
export { mintPreviewToken, type PreviewToken } from "./preview-token.ts";
export { EXAMPLE_AGENT, initAgent } from "./init-agent.ts";
export { loaderSnippet } from "./loader-snippet.ts";
