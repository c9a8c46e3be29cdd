import { expect, test, vi } from "vitest";
import { createFaults, fits } from "./language-model/fault.ts";
import type { Candidate, Fault } from "./language-model/fault.ts";
import type { Faults } from "./faults.ts";

const candidate: Candidate = { model: "a", kind: "conversation", hasTools: false };

function switched(...wanted: Fault[]): Faults<Fault> {
  const faults = createFaults();
  faults.set(wanted);
  return faults;
}

/** Which of so many requests draw a fault of this kind. */
function drawn(faults: Faults<Fault>, kind: string, requests: number): string[] {
  const all = Array.from({ length: requests }, (_, index) => `r${index}`);
  return all.filter((key) => faults.draw(key)?.kind === kind);
}

test("the first fault that fits is shown, as often as it says", () => {
  const faults = switched(
    { kind: "prose" },
    { kind: "empty", model: "b" },
    { kind: "error_500", times: 2 },
    { kind: "error_503" },
  );
  const draw = (one: Candidate) => faults.draw("r", (fault) => fits(fault, one))?.kind;
  expect([1, 2, 3].map(() => draw(candidate))).toEqual(["error_500", "error_500", "error_503"]);
  expect(draw({ ...candidate, model: "b" })).toBe("empty");
  expect(faults.list().map(({ kind, hits }) => [kind, hits])).toEqual([
    ["prose", 0],
    ["empty", 1],
    ["error_503", 1],
  ]);
});

test("a share is drawn by the request, the same in every run and near to its size", () => {
  const fault: Fault = { kind: "stall", share: 0.3 };
  const first = drawn(switched(fault), "stall", 2_000);
  expect(drawn(switched(fault), "stall", 2_000)).toEqual(first);
  expect(first.length / 2_000).toBeGreaterThan(0.26);
  expect(first.length / 2_000).toBeLessThan(0.34);
});

test("each fault draws for itself, and the first that is drawn is shown", () => {
  const faults = switched({ kind: "reset", share: 0.5 }, { kind: "stall" });
  const reset = drawn(faults, "reset", 100);
  expect(reset.length).toBeGreaterThan(30);
  expect(faults.list()).toEqual([
    { kind: "reset", share: 0.5, hits: reset.length },
    { kind: "stall", hits: 100 - reset.length },
  ]);
});

test("a request that is sent again draws again", () => {
  const faults = switched({ kind: "stall", share: 0.5 });
  const shown = Array.from({ length: 50 }, () => faults.draw("r"));
  expect(new Set(shown).size).toBe(2);
});

test("a fault is over after its time", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const faults = switched({ kind: "empty", forMs: 1_000 });
    vi.advanceTimersByTime(999);
    expect(faults.draw("r")?.kind).toBe("empty");
    vi.advanceTimersByTime(1);
    expect(faults.draw("r")).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  [[{ kind: "luck" }], "faults[0].kind: expected one of"],
  [[{ kind: "prose", share: "x" }], "faults[0].share: expected number, received string"],
  [[{ kind: "prose", chance: 1 }], "faults[0].chance: nothing is known by this name"],
  [[{ kind: "refuse", times: 1 }], "faults[0]: a closed port knows no share, times or model"],
  ["prose", "faults: expected array, received string"],
])("%j is a mistake with its place, and changes nothing", (wanted, why) => {
  const faults = switched({ kind: "empty" });
  expect(() => faults.set(wanted)).toThrow(why);
  expect(faults.list()).toEqual([{ kind: "empty", hits: 0 }]);
});
