import { createFakeClock } from "#testing";
import type { LiveOpenCard } from "@svc/contract/types";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CALL_TIMES } from "./call-options.ts";
import { SilenceWatch, TimeWatch } from "./silence-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A visitor who is there, and an agent who listens. */
function watched(mode: "voice" | "text") {
  const told: string[] = [];
  const screen = { card: null as LiveOpenCard | null, agentListens: true, mode, owesWords: false };
  const silence: SilenceWatch = new SilenceWatch({
    times: CALL_TIMES,
    screen,
    isHere: () => true,
    owesWords: () => screen.owesWords,
    onNudge: () => told.push("nudge"),
    onWarning: (leftMs) => told.push(`warning, ${leftMs} ms left`),
    onEnd: () => told.push("end"),
  });
  const change = (now: Partial<typeof screen>): void => {
    Object.assign(screen, now);
    silence.look();
  };
  silence.look();
  return { silence, told, change };
}

test("a silent visitor is warned and then left", () => {
  const { told } = watched("text");
  vi.advanceTimersByTime(149_999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["warning, 30000 ms left"]);
  vi.advanceTimersByTime(30_000);
  expect(told).toEqual(["warning, 30000 ms left", "end"]);
});

test("by voice they are asked twice before, and the asking itself is no silence", () => {
  const { change, told } = watched("voice");
  for (const nudges of [1, 2]) {
    vi.advanceTimersByTime(7_999);
    expect(told).toHaveLength(nudges - 1);
    vi.advanceTimersByTime(1);
    expect(told).toHaveLength(nudges);
    change({ agentListens: false });
    vi.advanceTimersByTime(5_000);
    change({ agentListens: true });
  }
  vi.advanceTimersByTime(59_999);
  expect(told).toEqual(["nudge", "nudge"]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["nudge", "nudge", "end"]);
});

test.for([
  ["voice", 70_000, 8_000, "nudge"],
  ["text", 170_000, 150_000, "warning, 30000 ms left"],
] as const)("whoever does something is not silent, by %s", ([mode, soonMs, firstMs, first]) => {
  const { silence, told } = watched(mode);
  for (let act = 0; act < 10; act++) {
    vi.advanceTimersByTime(soonMs);
    silence.acted();
  }
  vi.advanceTimersByTime(firstMs);
  expect(told).not.toContain("end");
  expect(told.at(-1)).toBe(first);
});

test("while the agent speaks, the visitor speaks or a card is open, nobody is silent", () => {
  const { silence, change, told } = watched("voice");
  const aWhile = (): void => void vi.advanceTimersByTime(3_600_000);
  change({ agentListens: false });
  aWhile();
  silence.setSpeaking(true);
  change({ agentListens: true });
  aWhile();
  change({ card: { kind: "email", id: "1" } });
  silence.setSpeaking(false);
  aWhile();
  expect(told).toEqual([]);
  change({ card: { kind: "replies", id: "2", replies: ["Yes"] } });
  vi.advanceTimersByTime(8_000);
  expect(told).toEqual(["nudge"]);
});

test("who looks elsewhere has three minutes, with or without a card", () => {
  const { silence, change, told } = watched("voice");
  change({ card: { kind: "email", id: "1" } });
  silence.setVisible(false);
  vi.advanceTimersByTime(179_999);
  expect(told).toEqual(["warning, 30000 ms left"]);
  vi.advanceTimersByTime(1);
  expect(told.at(-1)).toBe("end");
});

test("who cannot hear the greeting yet is not asked, and has three minutes", () => {
  const { change, told } = watched("voice");
  change({ owesWords: true });
  vi.advanceTimersByTime(149_999);
  expect(told).toEqual([]);
  change({ agentListens: false, owesWords: false });
  change({ agentListens: true });
  vi.advanceTimersByTime(8_000);
  expect(told).toEqual(["nudge"]);
  change({ owesWords: true });
  vi.advanceTimersByTime(180_000);
  expect(told).toEqual(["nudge", "warning, 30000 ms left", "end"]);
});

test("who has lost the voice has time to write", () => {
  const { silence, change, told } = watched("voice");
  vi.advanceTimersByTime(16_000);
  change({ mode: "text" });
  vi.advanceTimersByTime(149_999);
  expect(told).toEqual(["nudge", "nudge"]);
  silence.stop();
  vi.advanceTimersByTime(3_600_000);
  expect(told).toEqual(["nudge", "nudge"]);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch(leftMs: number): { time: TimeWatch; told: string[]; pass: (ms: number) => void } {
  const told: string[] = [];
  const clock = createFakeClock();
  const time = new TimeWatch({
    clock,
    leftMs,
    warnBeforeMs: 120_000,
    onWarning: () => told.push("warning"),
    onEnd: () => told.push("end"),
  });
  time.start();
  const pass = (ms: number): void => {
    clock.advance(ms);
    vi.advanceTimersByTime(ms);
  };
  return { time, told, pass };
}

test("two minutes before the end there is a warning", () => {
  const { time, told, pass } = watch(600_000);
  expect(time.secondsLeft).toBe(600);
  pass(480_000);
  expect(told).toEqual(["warning"]);
  expect(time.secondsLeft).toBe(120);
  pass(120_000);
  expect(told).toEqual(["warning", "end"]);
  pass(60_000);
  expect(time.secondsLeft).toBe(0);
});

test("a conversation that is short from its beginning needs no warning", () => {
  const { told, pass } = watch(60_000);
  pass(60_000);
  expect(told).toEqual(["end"]);
});

test("one that is over is not told of", () => {
  const { time, told, pass } = watch(600_000);
  time.stop();
  pass(600_000);
  expect(told).toEqual([]);
});
