import fc from "fast-check";
import { expect, it } from "vitest";
import { assertInLanes } from "./assert-in-lanes.ts";

const options = { lanes: 3, runs: 300, seed: 7, timeMs: 10_000 };

it("checks every value and closes its lanes", async () => {
  let checked = 0;
  let closed = 0;
  const openLane = () => ({ check: async () => void checked++, close: () => void closed++ });
  await assertInLanes(fc.nat(), openLane, options);
  expect([checked, closed]).toEqual([300, 3]);
});

it("throws with the smallest value that fails and with its reason", async () => {
  const check = async (value: number): Promise<void> => {
    await new Promise(setImmediate);
    if (value >= 17) throw new Error("too large");
  };
  const run = assertInLanes(fc.nat(1_000), () => ({ check }), options);
  await expect(run).rejects.toThrow(/Counterexample: \[17\][^]*too large/);
});

it("stops when its time is up, and waits for the checks under way", async () => {
  const checks = { begun: 0, ended: 0 };
  const check = async (): Promise<void> => {
    checks.begun++;
    await new Promise((resolve) => setTimeout(resolve, 20));
    checks.ended++;
  };
  await assertInLanes(fc.nat(), () => ({ check }), { ...options, runs: 100_000, timeMs: 210 });
  expect(checks.ended).toBe(checks.begun);
  expect(checks.ended).toBeGreaterThan(0);
  expect(checks.ended).toBeLessThan(100);
});
