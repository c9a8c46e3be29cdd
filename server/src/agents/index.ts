export { addAgent, addAgentVersion, type AgentConfig, type AgentVersion } from "./agent.ts";
