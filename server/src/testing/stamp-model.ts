/** An account's clock: its last stamp in milliseconds, and how many stamps that second holds. */
export interface StampClock {
  lastMs: number;
  inSecond: number;
}

/**
 * The SQL function `next_stamp` in plain arithmetic, for models of the export. The two are held
 * together by next-stamp.db.test.ts. A model may allow fewer stamps in a second, so that small
 * histories overflow too.
 */
export function allotStamp(clock: StampClock, nowMs: number, mostInSecond = 99): StampClock {
  let at = Math.max(Math.floor(nowMs), clock.lastMs + 1);
  const secondIsFull = clock.inSecond >= mostInSecond && secondOf(at) === secondOf(clock.lastMs);
  if (secondIsFull) at = (secondOf(at) + 1) * 1_000;
  if (at % 1_000 === 0) at += 1;
  return { lastMs: at, inSecond: secondOf(at) === secondOf(clock.lastMs) ? clock.inSecond + 1 : 1 };
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1_000);
}
