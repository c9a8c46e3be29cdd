import { allotStamp } from "@svc/server/testing";
import { expect, test } from "vitest";
import { Random } from "@svc/tools/random";
import { modelHistory, RULES } from "./model.ts";
import type { Findings, Rules } from "./model.ts";

test("with all rules nothing is lost, no loop is endless and nothing is wrongly shown", () => {
  const { expected, ...broken } = findings(RULES);
  expect(broken).toEqual({ lost: 0, endlessLoops: 0, wronglyShown: 0 });
  expect(expected).toBeGreaterThan(10_000);
});

test("without the settled prefix, late finishers are lost", () => {
  expect(findings({ ...RULES, settledPrefix: false }).lost).toBeGreaterThan(0);
});

test("without the clock's lock, a start that commits late is lost", () => {
  expect(findings({ ...RULES, locksClock: false }).lost).toBeGreaterThan(0);
});

test("with as many starts in a second as a page holds, the loop never leaves that second", () => {
  const rules: Rules = {
    ...RULES,
    allot: (clock, nowMs, most) => allotStamp(clock, nowMs, most + 1),
  };
  expect(findings(rules).endlessLoops).toBeGreaterThan(0);
});

test("with a stamp on a whole second, who asks since that second misses it", () => {
  const rules: Rules = {
    ...RULES,
    allot: (clock, nowMs, most) => {
      const { lastMs, inSecond } = allotStamp(clock, nowMs, most);
      return {
        lastMs: lastMs % 1_000 === 1 && lastMs - 1 > clock.lastMs ? lastMs - 1 : lastMs,
        inSecond,
      };
    },
  };
  expect(findings(rules).lost).toBeGreaterThan(0);
});

test("with a clock that may go back, sessions appear behind the reader", () => {
  const rules: Rules = { ...RULES, allot: (_, nowMs) => ({ lastMs: nowMs, inSecond: 1 }) };
  expect(findings(rules).lost).toBeGreaterThan(0);
});

test("with a page that begins at the last item again, a walk at limit 1 never ends", () => {
  const rules: Rules = { ...RULES, isAfter: (session, { atMs }) => session.atMs >= atMs };
  expect(findings(rules).endlessLoops).toBeGreaterThan(0);
});

function findings(rules: Rules): Findings {
  const sum: Findings = { expected: 0, lost: 0, endlessLoops: 0, wronglyShown: 0 };
  for (let number = 0; number < 2_000; number++) {
    const found = modelHistory(new Random(1, number), rules);
    sum.expected += found.expected;
    sum.lost += found.lost;
    sum.endlessLoops += found.endlessLoops;
    sum.wronglyShown += found.wronglyShown;
  }
  return sum;
}
