import { expect, it } from "vitest";
import { judgeGaps } from "./judge-gaps.ts";
import type { TimedAttempt } from "./judge-gaps.ts";

const SECOND = 1_000;
const at = (startSecs: number, tookSecs = 0.1): TimedAttempt => ({
  endpointId: "one",
  startedAtMs: startSecs * SECOND,
  tookMs: tookSecs * SECOND,
});
const judge = (...deliveries: TimedAttempt[][]) => judgeGaps(deliveries, 30 * SECOND);

it("takes 27 to 33 seconds for about 30", () => {
  expect(judge([at(0), at(27.01)], [at(100), at(132.9)])).toMatchObject({ early: 0, late: 0 });
  expect(judge([at(0), at(26.9)], [at(100), at(133.1)])).toMatchObject({ early: 1, late: 1 });
});

it("takes a late one for held when the endpoint's slots were all in use", () => {
  const busy = Array.from({ length: 8 }, () => [at(25, 10)]);
  expect(judge([at(0), at(36)], ...busy)).toMatchObject({ late: 0, held: 1 });
  expect(judge([at(0), at(36)], ...busy.slice(1))).toMatchObject({ late: 1, held: 0 });
});

it("counts from the end of an attempt that took longer than the wait", () => {
  const scaled = [at(0, 10), at(10.5)];
  expect(judgeGaps([scaled], 2 * SECOND)).toMatchObject({ early: 0, late: 0 });
});
