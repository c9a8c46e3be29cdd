import type { ReturnWithinSecs } from "@svc/contract/types";

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
  /** In milliseconds since 1970. */
  at: number;
}

export const STORED_CALL_KEY = "svc-call";
const RETURN_WITHIN_SECS: ReturnWithinSecs = 60;
/** A visitor who is away for longer has been given up by the server. */
export const RETURN_WITHIN_MS: number = RETURN_WITHIN_SECS * 1_000;

/** Storage may be blocked or full; then a reload ends the call, and nothing else is lost. */
export function storeCall(call: StoredCall | undefined): void {
  try {
    if (call === undefined) sessionStorage.removeItem(STORED_CALL_KEY);
    else sessionStorage.setItem(STORED_CALL_KEY, JSON.stringify(call));
  } catch {
    // As above.
  }
}
