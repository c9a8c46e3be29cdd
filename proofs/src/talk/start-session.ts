import { randomUUID } from "node:crypto";
import type { AgentMode, SessionStarted } from "@svc/contract/types";

export interface Start {
  agentId: string;
  language: string;
  mode: AgentMode;
  metadata?: Record<string, unknown>;
}

/** What the SDK does when a visitor has read the notice and accepts it. */
export async function startSession(serverUrl: string, start: Start): Promise<SessionStarted> {
  const { agentId, language, mode, metadata = {} } = start;
  const response = await fetch(`${serverUrl}/sdk/v1/sessions`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: "https://shop.example.com" },
    body: JSON.stringify({
      agent_id: agentId,
      start_key: randomUUID(),
      mode,
      language,
      metadata,
      page: "https://shop.example.com/pricing",
      notice: {
        text: "An AI talks with you. The text is kept.",
        language,
        accepted_at: new Date().toISOString(),
      },
    }),
  });
  if (response.status !== 201) throw new Error(`not started: ${await response.text()}`);
  return (await response.json()) as SessionStarted;
}
