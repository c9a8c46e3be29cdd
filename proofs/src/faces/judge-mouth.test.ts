import { expect, test } from "vitest";
import { judgeMouth } from "./judge-mouth.ts";
import type { Mouthed } from "./mouth-page.ts";

/** Syllables of 200 ms with 300 ms of silence after each, and a mouth that follows them so much later. */
function mouthing(lateMs: number): Mouthed {
  const powerAt = (secs: number): number =>
    secs > 0 && secs % 0.5 < 0.2 ? 0.01 * Math.sin((Math.PI * (secs % 0.5)) / 0.2) ** 2 : 0;
  const heard = Array.from({ length: 1_500 }, (_, at): [number, number] => [
    at / 375,
    powerAt(at / 375),
  ]);
  const seen = Array.from({ length: 120 }, (_, at): [number, number, number] => [
    at / 30,
    powerAt(at / 30 - lateMs / 1_000) ** 0.3,
    0,
  ]);
  return { heard, seen };
}

test("a mouth that follows is told from one that is late", () => {
  const [quick, late] = [judgeMouth(mouthing(20)), judgeMouth(mouthing(250))];
  expect(quick.correlation).toBeGreaterThan(0.95);
  expect(quick.lagMs).toBeLessThanOrEqual(40);
  expect(quick.shut).toBe(1);
  expect(late.lagMs).toBeGreaterThan(200);
  expect(late.shut).toBeLessThan(0.9);
});
