import type { Clock } from "#platform";

/** A clock that stands still until it is moved. */
export interface FakeClock extends Clock {
  advance(ms: number): void;
}

export function createFakeClock(): FakeClock {
  let elapsedMs = 0;
  return {
    nowMs: () => Date.UTC(2026, 0, 1) + elapsedMs,
    monotonicMs: () => elapsedMs,
    advance: (ms) => void (elapsedMs += ms),
  };
}
