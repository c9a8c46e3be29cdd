export type {
  ActionParam,
  AgentConfig,
  ConfigAction,
  CriterionItem,
  StoredFile,
} from "./config/agent-config.ts";
export { describeConfig } from "./config/compare-configs.ts";
export { normalOrigin } from "./file/agent-file-problems.ts";
export { EXAMPLE_AGENT, initAgent } from "./file/init-agent.ts";
export { explainIssue } from "./file/explain-issue.ts";
export { locatedYaml } from "./file/located-yaml.ts";
export { AgentFileError, type Mistake } from "./file/mistake.ts";
export { type AgentSource, draftAgentWords, readAgent } from "./file/read-agent.ts";
export { readScenarios, type Scenario } from "./file/read-scenarios.ts";
export { plainConfig } from "./file/resolve-config.ts";
export {
  embedCurrentVersions,
  embedKnowledge,
  KnowledgeEmbedder,
  sendEmbedding,
} from "./knowledge/embed-knowledge.ts";
export { type DraftedSection, draftSections } from "./knowledge/draft-sections.ts";
export { addGapSections, gapSection } from "./knowledge/gap-section.ts";
export { KnowledgeVectors, QUERY_TIMEOUT_MS } from "./knowledge/knowledge-vectors.ts";
export { KnowledgeSearch, type SearchKnowledge } from "./knowledge/knowledge-search.ts";
export { sourcesOf } from "./knowledge/sources-of.ts";
export { stemsOf } from "./knowledge/stems-of.ts";
export {
  isLarge,
  type KnowledgeSection,
  knowledgeSections,
  mayBeLarge,
  mayOpen,
} from "./knowledge/knowledge-sections.ts";
export { findShown, readShownName, shownName } from "./tours/shown-name.ts";
export { agentFromSource, type FromSource } from "./site/agent-from-source.ts";
export { refreshAgent } from "./site/refresh-agent.ts";
export {
  addAgent,
  addAgentVersion,
  type AgentAtVersion,
  type AgentVersion,
  readAgentAtVersion,
} from "./versions/agent.ts";
export { contentTextsIn } from "./versions/content-texts.ts";
export { type DemoAgent, DemoAgents } from "./versions/demo-agents.ts";
export { type AgentFinding, agentFindings } from "./versions/agent-findings.ts";
export {
  type AgentState,
  findAgent,
  listAgents,
  type ListedAgent,
  listVersions,
  removeAgent,
  setAgentState,
} from "./versions/listed-agent.ts";
export {
  type AgentPlan,
  type AppliedAgent,
  applyAgent,
  planAgent,
  type PlannedChange,
  type PlanWarning,
} from "./versions/plan-agent.ts";
export {
  agentFacts,
  contentIn,
  matchLanguage,
  noticeIn,
  shownFileUrl,
} from "./visitor/agent-facts.ts";
export { loaderSnippet, shortSnippet } from "./visitor/loader-snippet.ts";
export { isPreviewToken, mintPreviewToken, type PreviewToken } from "./visitor/preview-token.ts";
export {
  findShownFile,
  findStartableAgent,
  readShownFile,
  type StartableAgent,
} from "./visitor/startable-agent.ts";
