import { createFakeClock } from "#testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TimeWatch } from "./time-watch.ts";

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
