import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { IdleWatch } from "./idle-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch(): { idle: IdleWatch; told: string[] } {
  const told: string[] = [];
  const idle = new IdleWatch({
    warnAfterMs: 150_000,
    endAfterMs: 180_000,
    onWarning: (leftMs) => told.push(`warning, ${leftMs} ms left`),
    onEnd: () => told.push("end"),
  });
  return { idle, told };
}

test("a silent visitor is warned and then left", () => {
  const { idle, told } = watch();
  idle.setQuiet(true);
  vi.advanceTimersByTime(149_999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["warning, 30000 ms left"]);
  vi.advanceTimersByTime(30_000);
  expect(told).toEqual(["warning, 30000 ms left", "end"]);
});

test("whoever does something is not silent", () => {
  const { idle, told } = watch();
  idle.setQuiet(true);
  for (let act = 0; act < 10; act++) {
    vi.advanceTimersByTime(170_000);
    idle.acted();
  }
  vi.advanceTimersByTime(100_000);
  expect(told).not.toContain("end");
});

test("while the agent speaks or a card is open, nobody is silent", () => {
  const { idle, told } = watch();
  idle.setQuiet(true);
  vi.advanceTimersByTime(100_000);
  idle.setQuiet(false);
  vi.advanceTimersByTime(3_600_000);
  expect(told).toEqual([]);
  idle.setQuiet(true);
  vi.advanceTimersByTime(180_000);
  expect(told.at(-1)).toBe("end");
});
