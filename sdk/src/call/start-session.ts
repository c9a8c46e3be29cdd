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
  const { error } = (await response.json()) as { error: { code: string } };
  const reason = REASONS.find((known) => known === error.code);
  if (reason === undefined && response.status >= 500) throw new Error(error.code);
  return { refused: reason ?? "service_unavailable" };
}

/** `crypto.randomUUID` exists on pages with TLS only. */
export function newStartKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
