import type { EgressOutcome } from "#platform";

/** Whether the receiver has taken the event: only a status from 200 to 299 in time says so. */
export function isTaken(outcome: EgressOutcome): boolean {
  return outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300;
}
