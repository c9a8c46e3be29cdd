/** `window.SvcConfig`: set on the page before the SDK script is loaded. */
export interface SvcConfig {
  /** The agent's identifier: `agent_` and an opaque part. */
  agentId: string;
  /** Custom recording-notice text shown in the demo session. */
  recordingNotice?: string;
}

/**
 * The earlier bootstrap, served from its own SDK address: the account's client identifier stands
 * in place of the agent's, and means the account's default agent.
 */
export interface EarlierSvcConfig {
  clientId: string;
  recordingNotice?: string;
}
