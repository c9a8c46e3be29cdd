export type { AgentConfig, StoredFile } from "./agent-config.ts";
export { type AgentAtVersion, readAgentAtVersion } from "./agent-at-version.ts";
export { type DemoAgent } from "./demo-agent.ts";
export { DemoAgents } from "./demo-agents.ts";
export { type KnowledgeSection, knowledgeSections } from "./knowledge-sections.ts";
export { searchKnowledge } from "./knowledge-search.ts";
export { searchSource } from "./search-source.ts";
export { addAgent, addAgentVersion, type AgentVersion } from "./agent.ts";
export { type AppliedAgent, applyAgent } from "./apply-agent.ts";
export { type AgentSource, readAgent } from "./file/read-agent.ts";
export { readScenarios, type Scenario } from "./file/read-scenarios.ts";
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
export { isPreviewToken, mintPreviewToken, type PreviewToken } from "./preview-token.ts";
export { EXAMPLE_AGENT, initAgent } from "./init-agent.ts";
export { loaderSnippet, patientSnippet } from "./loader-snippet.ts";
export { agentFacts, shownFileUrl } from "./agent-facts.ts";
export { matchLanguage } from "./match-language.ts";
export { normalOrigin } from "./file/normal-origin.ts";
export { findShownFile, readShownFile } from "./shown-file.ts";
export { findStartableAgent, type StartableAgent } from "./startable-agent.ts";
