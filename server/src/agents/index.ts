export type { AgentConfig, StoredFile } from "./config/agent-config.ts";
export { type AgentAtVersion, readAgentAtVersion } from "./versions/agent-at-version.ts";
export { type DemoAgent } from "./versions/demo-agent.ts";
export { DemoAgents } from "./versions/demo-agents.ts";
export { type KnowledgeSection, knowledgeSections } from "./knowledge/knowledge-sections.ts";
export { searchKnowledge } from "./knowledge/knowledge-search.ts";
export { searchSource } from "./knowledge/search-source.ts";
export { addAgent, addAgentVersion, type AgentVersion } from "./versions/agent.ts";
export { type AppliedAgent, applyAgent } from "./versions/apply-agent.ts";
export { type AgentSource, readAgent } from "./file/read-agent.ts";
export { readScenarios, type Scenario } from "./file/read-scenarios.ts";
export { plainConfig } from "./file/resolve-config.ts";
export { AgentFileError, type Mistake } from "./file/mistake.ts";
export {
  type AgentState,
  findAgent,
  listAgents,
  type ListedAgent,
  listVersions,
  setAgentState,
} from "./versions/listed-agent.ts";
export {
  type AgentPlan,
  planAgent,
  type PlannedChange,
  type PlanWarning,
} from "./config/plan-agent.ts";
export { describeConfig } from "./config/describe-config.ts";
export { isPreviewToken, mintPreviewToken, type PreviewToken } from "./visitor/preview-token.ts";
export { EXAMPLE_AGENT, initAgent } from "./file/init-agent.ts";
export { loaderSnippet, patientSnippet } from "./visitor/loader-snippet.ts";
export { agentFacts, shownFileUrl } from "./visitor/agent-facts.ts";
export { matchLanguage } from "./visitor/match-language.ts";
export { normalOrigin } from "./file/normal-origin.ts";
export { findShownFile, readShownFile } from "./visitor/shown-file.ts";
export { findStartableAgent, type StartableAgent } from "./visitor/startable-agent.ts";
