import type { AgentFacts, FunnelEntry, FunnelEvent, RefusalReason } from "@svc/contract/types";
import { previewToken } from "./preview-token.ts";

/** The service behind the SDK, at the address that the script came from. */
export interface Service {
  /** The agent's id, or the client's of an earlier bootstrap. */
  agent: string;
  /** The token of a preview, whose sessions are tests. */
  readonly preview: string | undefined;
  /** Requested once, or again if they must be fresh. After a failure the next call requests them again. */
  facts(isFresh?: boolean): Promise<AgentFacts>;
  /** Reads a path of the agent. Rejects with an error for `reasonOf`. */
  read<T>(path: string, init?: RequestInit): Promise<T>;
  /** Sends no cookies, and times out after ten seconds. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Counts an event, without any identifier of the visitor. Previews are not counted. */
  count(event: FunnelEvent, entry: FunnelEntry | undefined, language?: string): void;
}

type Reason = RefusalReason | "offline";

const AGENT_UNKNOWN = "agent_unknown";
const PATIENCE_MS = 10_000;

/** The public reason for a failed request. */
export function reasonOf(error: unknown): Reason {
  if ((error as Error).message === AGENT_UNKNOWN) return AGENT_UNKNOWN;
  return navigator.onLine ? "service_unavailable" : "offline";
}

/** @param url The address of the service, without a slash at the end. */
export function createService(url: string, agent: string): Service {
  const addressOf = (path: string): string => `${url}/sdk/v1/${path}`;
  let facts: Promise<AgentFacts> | undefined;

  const request: Service["request"] = (path, init) =>
    fetch(addressOf(path), {
      credentials: "omit",
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...init,
    });

  async function read<T>(path: string, init?: RequestInit): Promise<T> {
    const response = await request(`agents/${encodeURIComponent(agent)}${path}`, init);
    if (response.ok) return (await response.json()) as T;
    throw new Error(response.status === 404 ? AGENT_UNKNOWN : "");
  }

  return {
    agent,
    get preview() {
      return previewToken();
    },
    facts: (isFresh) =>
      (facts =
        (!isFresh && facts) ||
        read<AgentFacts>("").catch((error: unknown) => {
          facts = undefined;
          throw error;
        })),
    read,
    request,
    count(event, entry, language) {
      if (previewToken() !== undefined) return;
      // A longer path would exceed what the server reads. It does not keep one of more than 200 characters.
      const path = location.pathname.slice(0, 201);
      const body = JSON.stringify({ agent_id: agent, event, path, language, entry });
      try {
        // A text body needs no CORS preflight.
        if (navigator.sendBeacon(addressOf("events"), body)) return;
      } catch {
        // Some blockers remove sendBeacon.
      }
      request("events", { method: "POST", body, keepalive: true }).catch(() => {});
    },
  };
}
