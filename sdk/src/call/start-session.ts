import type { SessionStart, SessionStarted } from "@svc/contract/types";

const TRIES = 4;
const PATIENCE_MS = 10_000;
const REASONS = [
  "agent_unknown",
  "agent_paused",
  "origin_not_allowed",
  "at_capacity",
  "too_many_starts",
  "daily_cap",
] as const;

export interface Refused {
  refused: (typeof REASONS)[number] | "service_unavailable" | "offline";
}

/** Asks for a session. An answer that got lost is asked for again: the same start key is the same session. */
export async function startSession(
  url: string,
  start: SessionStart,
): Promise<SessionStarted | Refused> {
  for (let tried = 1; tried <= TRIES; tried++) {
    try {
      return await post(`${url}/sdk/v1/sessions`, start);
    } catch {
      if (tried < TRIES) await new Promise((resume) => setTimeout(resume, 300 * 2 ** tried));
    }
  }
  return { refused: navigator.onLine ? "service_unavailable" : "offline" };
}

/** Throws where the next try may go better. */
async function post(address: string, start: SessionStart): Promise<SessionStarted | Refused> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(start),
    credentials: "omit",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (response.ok) return (await response.json()) as SessionStarted;
  // The session that the key stands for is over: the next try is for a new one.
  if (response.status === 409) start.start_key = newStartKey();
  const { error } = (await response.json()) as { error: { code: string } };
  const reason = REASONS.find((known) => known === error.code);
  if (reason === undefined && (response.status >= 500 || response.status === 409))
    throw new Error(error.code);
  return { refused: reason ?? "service_unavailable" };
}

/** A random UUID. `crypto.randomUUID` exists on pages with TLS only. */
export function newStartKey(): string {
  const digit = (): string => (crypto.getRandomValues(new Uint8Array(1))[0]! % 16).toString(16);
  return "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replace(/x/g, digit);
}
