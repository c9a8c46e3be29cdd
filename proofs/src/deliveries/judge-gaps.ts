/** One attempt of a delivery, as far as its time goes. */
export interface TimedAttempt {
  endpointId: string;
  startedAtMs: number;
  tookMs: number;
}

export interface Gaps {
  /** From the start of one attempt to the start of the next. */
  gapsMs: number[];
  /** Sooner than they may, or later though a slot was free. */
  early: number;
  late: number;
  /** Later because all slots of the endpoint were taken. */
  held: number;
}

/** The shortest and the longest wait that we choose, and what may come on top: at 30 seconds, 27 to 33 in all. */
const CHOSEN = { from: 0.94, to: 1.02 };
const SLACK_MS = { early: 1_200, late: 2_400 };
const SLOTS = 8;

/** @param deliveries the attempts of each delivery, the first one first. */
export function judgeGaps(deliveries: readonly TimedAttempt[][], retryMs: number): Gaps {
  const byEndpoint = Map.groupBy(deliveries.flat(), ({ endpointId }) => endpointId);
  const found: Gaps = { gapsMs: [], early: 0, late: 0, held: 0 };
  for (const attempts of deliveries) {
    for (const [index, next] of attempts.entries()) {
      const last = attempts[index - 1];
      if (last === undefined) continue;
      const gapMs = next.startedAtMs - last.startedAtMs;
      found.gapsMs.push(gapMs);
      // With time scaled an attempt may take longer than the wait.
      const dueMs = last.startedAtMs + Math.max(last.tookMs, CHOSEN.to * retryMs);
      if (gapMs < CHOSEN.from * retryMs - SLACK_MS.early) found.early += 1;
      if (next.startedAtMs <= dueMs + SLACK_MS.late) continue;
      const others = byEndpoint.get(next.endpointId) ?? [];
      if (inFlight(others, next.startedAtMs - SLACK_MS.late) < SLOTS) found.late += 1;
      else found.held += 1;
    }
  }
  return found;
}

function inFlight(attempts: readonly TimedAttempt[], atMs: number): number {
  return attempts.filter(
    ({ startedAtMs, tookMs }) => startedAtMs <= atMs && startedAtMs + tookMs >= atMs,
  ).length;
}
