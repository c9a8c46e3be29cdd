import type { AgentFacts, Eligibility, FunnelEvent, RefusalReason } from "@svc/contract/types";

/** The service behind the SDK, at the address that the script came from. */
export interface Service {
  /** Without a slash at the end. */
  url: string;
  /** The agent's id, or the client's of an earlier bootstrap. */
  agent: string;
  /** Asked once, unless they must be fresh; a failure is asked again at the next call. */
  facts(isFresh?: boolean): Promise<AgentFacts>;
  eligibility(): Promise<Eligibility>;
  /** Counts; carries no address and no id of the visitor. */
  count(event: FunnelEvent): void;
}

type Reason = RefusalReason | "offline";

/** A request brought nothing. Its message is the reason. */
class Unavailable extends Error {}

export function reasonOf(error: unknown): Reason {
  return error instanceof Unavailable ? (error.message as Reason) : "service_unavailable";
}

const PATIENCE_MS = 10_000;

export function createService(url: string, agent: string): Service {
  const place = `${url}/sdk/v1/agents/${encodeURIComponent(agent)}`;
  let facts: Promise<AgentFacts> | undefined;
  return {
    url,
    agent,
    facts: (isFresh) =>
      (facts =
        (!isFresh && facts) ||
        read<AgentFacts>(place).catch((error: unknown) => {
          facts = undefined;
          throw error;
        })),
    eligibility: () => read<Eligibility>(`${place}/eligibility`),
    count(event) {
      const body = JSON.stringify({ agent_id: agent, event });
      const address = `${url}/sdk/v1/events`;
      try {
        // Text needs no preflight.
        if (navigator.sendBeacon(address, body)) return;
      } catch {
        // Some blockers take sendBeacon away.
      }
      fetch(address, { method: "POST", body, keepalive: true, credentials: "omit" }).catch(
        () => {},
      );
    },
  };
}

async function read<T>(address: string): Promise<T> {
  let response: Response;
  try {
    response = await fetch(address, {
      credentials: "omit",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch {
    const reason: Reason = navigator.onLine ? "service_unavailable" : "offline";
    throw new Unavailable(reason);
  }
  if (response.ok) return (await response.json()) as T;
  const reason: Reason = response.status === 404 ? "agent_unknown" : "service_unavailable";
  throw new Unavailable(reason);
}
