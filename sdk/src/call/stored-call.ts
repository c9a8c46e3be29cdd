/** The call of this tab, kept while it is live, so that a reload or the next page goes on with it. */
export interface StoredCall {
  agent: string;
  sessionId: string;
  resumeToken: string;
  liveUrl: string;
  language: string;
  test: boolean;
  minimized: boolean;
  /** By voice, and the microphone was on. */
  talking: boolean;
  /** In milliseconds since 1970: after a minute away the server has given the visitor up. */
  at: number;
}

const KEY = "svc-call";
const GIVEN_UP_AFTER_MS = 60_000;

export function storedCall(agent: string): StoredCall | undefined {
  try {
    const call = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as StoredCall | null;
    if (call === null || call.agent !== agent) return undefined;
    return Date.now() - call.at < GIVEN_UP_AFTER_MS ? call : undefined;
  } catch {
    return undefined; // Storage is blocked, or holds something else.
  }
}

/** Storage may be blocked or full; then a reload ends the call, and nothing else is lost. */
export function storeCall(call: StoredCall | undefined): void {
  try {
    if (call === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(call));
  } catch {
    // As above.
  }
}
