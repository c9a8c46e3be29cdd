import { createFakeClock } from "#testing";
import { expect, test } from "vitest";
import { FrameBudget } from "./frame-budget.ts";

test("a burst passes, a flood does not, and a pause makes up for it", () => {
  const clock = createFakeClock();
  const budget = new FrameBudget(clock);
  const taken = (times: number): number =>
    Array.from({ length: times }, () => budget.take()).filter(Boolean).length;

  expect(taken(1_000)).toBe(200);
  clock.advance(1_000);
  expect(taken(1_000)).toBe(50);
  clock.advance(60_000);
  expect(taken(1_000)).toBe(200);
});

test("who talks and types all the time is never held up", () => {
  const clock = createFakeClock();
  const budget = new FrameBudget(clock);
  for (let frame = 0; frame < 10_000; frame++) {
    clock.advance(25);
    expect(budget.take()).toBe(true);
  }
});
