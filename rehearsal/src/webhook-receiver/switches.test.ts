import { expect, test } from "vitest";
import type { Fault } from "./fault.ts";
import { Switches } from "./switches.ts";

const candidate = { path: "/hook", lot: "evt_1:1", isReused: false };

function switched(...faults: Fault[]): Switches {
  const switches = new Switches();
  switches.set(faults);
  return switches;
}

function drawn(switches: Switches, kind: string, lots: number): string[] {
  const all = Array.from({ length: lots }, (_, index) => `evt_${index}:1`);
  return all.filter((lot) => switches.choose({ ...candidate, lot })?.kind === kind);
}

test("a share is drawn by the request, the same in every run and near to its size", () => {
  const fault: Fault = { kind: "close", share: 0.2 };
  const first = drawn(switched(fault), "close", 2_000);
  expect(drawn(switched(fault), "close", 2_000)).toEqual(first);
  expect(first.length).toBeGreaterThan(330);
  expect(first.length).toBeLessThan(470);
});

test("each fault draws for itself, and the first that is drawn is shown", () => {
  const switches = switched({ kind: "close", share: 0.5 }, { kind: "silent" });
  const closed = drawn(switches, "close", 100);
  expect(closed.length).toBeGreaterThan(30);
  expect(switches.list()).toEqual([
    { kind: "close", share: 0.5, hits: closed.length },
    { kind: "silent", hits: 100 - closed.length },
  ]);
});

test("a fault is over after so many times", () => {
  const switches = switched({ kind: "status", status: 500, times: 2 });
  const shown = [1, 2, 3].map(() => switches.choose(candidate)?.status);
  expect(shown).toEqual([500, 500, undefined]);
  expect(switches.list()).toEqual([]);
});

test("a fault keeps to its path", () => {
  const switches = switched({ kind: "silent", path: "/slow" });
  expect(switches.choose(candidate)).toBeUndefined();
  expect(switches.choose({ ...candidate, path: "/slow" })).toMatchObject({ kind: "silent" });
});
