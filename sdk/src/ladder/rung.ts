import type { MicrophoneRung } from "../sound/ask-for-microphone.ts";

/** Why the visitor cannot talk. `removed`: the microphone was there. `sound`: this browser plays and records nothing here. */
export type Rung = MicrophoneRung | "removed" | "sound";

/** Nothing that a visitor does changes these. */
export function isFinal(rung: Rung): boolean {
  return rung === "insecure" || rung === "policy";
}

/** The visitor has a say, in the browser's own settings. */
export function isPermission(rung: Rung): boolean {
  return rung === "denied" || rung === "dismissed";
}
