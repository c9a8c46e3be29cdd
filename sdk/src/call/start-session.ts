import type { SessionStart, SessionStarted } from "@svc/contract/types";
import type { Service } from "../core/service.ts";
import { loadChunk } from "./load-chunk.ts";

const TRIES = 4;
/** With a reason of ours, or whatever code the server gave. */
interface Refused {
  refused: string;
}

/** Asks for a session. An answer that got lost is asked for again: the same start key is the same session. */
export async function startSession(
  request: Service["request"],
  start: SessionStart,
): Promise<SessionStarted | Refused> {
  for (let tried = 1; tried <= TRIES; tried++) {
    try {
      return await post(request, start);
    } catch {
      if (tried < TRIES) await new Promise((resume) => setTimeout(resume, 300 * 2 ** tried));
    }
  }
  return { refused: navigator.onLine ? "service_unavailable" : "offline" };
}

/** Throws where the next try may go better. */
async function post(
  request: Service["request"],
  start: SessionStart,
): Promise<SessionStarted | Refused> {
  const response = await request("sessions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(start),
  });
  if (response.ok) return (await response.json()) as SessionStarted;
  // The session that the key stands for is over: the next try is for a new one.
  if (response.status === 409) start.start_key = newStartKey();
  // No refusal that lasts has such a status.
  if (response.status >= 500 || response.status === 409) throw new Error(response.statusText);
  return (await loadChunk("cards-and-endings")).readRefusal(response, start);
}

/** A random UUID. `crypto.randomUUID` exists on pages with TLS only. */
export function newStartKey(): string {
  const digit = (): string => (crypto.getRandomValues(new Uint8Array(1))[0]! % 16).toString(16);
  return "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replace(/x/g, digit);
}
