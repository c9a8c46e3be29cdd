import type { HeardSegment } from "@svc/server/testing";
import { expect, it } from "vitest";
import { findGaps } from "./find-gaps.ts";

it("finds where a loudspeaker ran dry", () => {
  const segment = (stretches: HeardSegment["stretches"]) => ({ stretches });
  const whole = segment([{ startedAt: 1_000, fromMs: 0, ms: 700 }]);
  const broken = segment([
    { startedAt: 2_000, fromMs: 0, ms: 100 },
    { startedAt: 2_150, fromMs: 100, ms: 300 },
    { startedAt: 2_470, fromMs: 400, ms: 300 },
  ]);
  expect(findGaps([whole, broken, segment([])])).toEqual([
    { atMs: 100, ms: 50 },
    { atMs: 400, ms: 20 },
  ]);
});
