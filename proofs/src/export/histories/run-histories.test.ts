import { expect, test } from "vitest";
import type { Played } from "./play-history.ts";
import { Tally } from "./run-histories.ts";
import type { FinishedWalk } from "./run-histories.ts";

const SECOND = 1_794_736_800;
const played = [session("a", 1), session("b", 2), session("t", 3, true), session("c", 1_500)];

test("a walk that met every session and no test is faultless", () => {
  expect(tally([walk(["a", "b", "c"])])).toMatchObject({ lost: 0, faults: [], sessions: 3 });
});

test("a session that one of the walks never met is lost, once", () => {
  const { lost, faults } = tally([walk(["a", "c"]), walk(["a"]), walk(["a", "b", "c"])]);
  expect(lost).toBe(2);
  expect(faults).toHaveLength(2);
});

test("who came later need not meet what started before", () => {
  expect(tally([walk(["c"], SECOND + 1)]).faults).toEqual([]);
  expect(tally([walk([], SECOND + 1)]).lost).toBe(1);
});

test("a test session, a foreign one and one older than asked for are wrongly shown", () => {
  for (const shown of [
    walk(["a", "b", "c", "t"]),
    walk(["a", "b", "c", "x"]),
    walk(["a", "c"], SECOND + 1),
  ]) {
    expect(tally([shown]).faults).toEqual(["history 1, walk: wrongly shown: 1"]);
  }
});

test("what a client complains of is a fault", () => {
  const complaint = {
    ...walk(["a", "b", "c"]),
    report: { ids: ["a", "b", "c"], requests: 1, fault: "endless loop" },
  };
  expect(tally([complaint]).faults).toEqual(["history 1, walk: endless loop"]);
});

test("stamps that break the rules are faults, met by a walk or not", () => {
  const crowd = Array.from({ length: 100 }, (_, index) => session(`s${index}`, index + 1));
  const sum = new Tally();
  sum.add("history 1", [...crowd, session("w", 2_000), session("v", 2_000)], []);
  expect(sum.faults).toEqual([
    "history 1: 1 seconds hold more than 99 starts",
    "history 1: 2 starts are stamped on a whole second",
    "history 1: 1 starts share the stamp of another",
  ]);
});

test("the fastest second counts real time, not stamps", () => {
  const sum = new Tally();
  const times = [0, 900, 950, 1_000, 1_900, 5_000];
  sum.add(
    "history 1",
    times.map((committedMs, index) => ({ ...session(`s${index}`, index + 1), committedMs })),
    [],
  );
  expect(sum.fastestSecond).toBe(4);
});

function session(id: string, ms: number, isTest = false): Played {
  return { id, createdAt: new Date(SECOND * 1_000 + ms), test: isTest, committedMs: 0 };
}

function walk(ids: string[], since = 0): FinishedWalk {
  return { name: "walk", since, report: { ids, requests: 1, fault: null } };
}

function tally(walks: FinishedWalk[]): Tally {
  const sum = new Tally();
  sum.add("history 1", played, walks);
  return sum;
}
