import type { FunnelEntry, SessionStart, SessionStarted } from "@svc/contract/types";
import type { Service } from "../core/service.ts";
import { loadChunk } from "./load-chunk.ts";

const FIRST_WAIT_MS = 600;
const LAST_WAIT_MS = 2_400;
/** With a reason of ours, or whatever code the server gave. */
interface Refused {
  refused: string;
}

/**
 * Asks for a session. An answer that got lost is asked for again: the same start key is the same session.
 * @param entry goes in the address: a server of the release before refuses a body with more than it knows.
 */
export async function startSession(
  request: Service["request"],
  start: SessionStart,
  entry?: FunnelEntry,
): Promise<SessionStarted | Refused> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
    try {
      const response = await request(`sessions?entry=${entry}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(start),
      });
      const { ok, status } = response;
      if (ok) return (await response.json()) as SessionStarted;
      // The session that the key stands for is over: the next try is for a new one.
      if (status === 409) start.start_key = newStartKey();
      // Every other refusal lasts.
      else if (status < 500)
        return await (await loadChunk("cards-and-endings")).readRefusal(response, start);
    } catch {
      // The next try may go better.
    }
    if (waitMs > LAST_WAIT_MS)
      return { refused: navigator.onLine ? "service_unavailable" : "offline" };
    await new Promise((resume) => setTimeout(resume, waitMs));
  }
}

/** A random UUID. `crypto.randomUUID` exists on pages with TLS only. */
export function newStartKey(): string {
  const digit = (): string => (crypto.getRandomValues(new Uint8Array(1))[0]! % 16).toString(16);
  return "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replace(/x/g, digit);
}
