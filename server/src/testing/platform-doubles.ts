import { createJobSender, createLog } from "#platform";
import type { Clock, Db, JobSender, Log } from "#platform";

/** A log that prints everything into memory. */
export interface CapturedLog {
  log: Log;
  /** What was printed, byte for byte. */
  text(): string;
  lines(): Record<string, unknown>[];
}

export function captureLog(): CapturedLog {
  let text = "";
  return {
    log: createLog("debug", { write: (line) => void (text += line) }),
    text: () => text,
    lines: () =>
      text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

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

const senders = new WeakMap<Db, JobSender>();

/** One per database, so that ten thousand ended sessions open the queue once. */
export function jobSenderOf(db: Db): JobSender {
  const sender = senders.get(db) ?? createJobSender(db, createLog("silent"));
  senders.set(db, sender);
  return sender;
}

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
export function allotStamp(clock: StampClock, nowMs: number, maxInSecond = 99): StampClock {
  let at = Math.max(Math.floor(nowMs), clock.lastMs + 1);
  const secondIsFull = clock.inSecond >= maxInSecond && secondOf(at) === secondOf(clock.lastMs);
  if (secondIsFull) at = (secondOf(at) + 1) * 1_000;
  if (at % 1_000 === 0) at += 1;
  return { lastMs: at, inSecond: secondOf(at) === secondOf(clock.lastMs) ? clock.inSecond + 1 : 1 };
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1_000);
}
