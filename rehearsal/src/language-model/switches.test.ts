import { expect, test, vi } from "vitest";
import { Switches } from "./switches.ts";
import type { Candidate } from "./switches.ts";

const candidate: Candidate = {
  model: "a",
  isJson: false,
  isEvaluation: false,
  hasTools: false,
  requestId: "r",
};

test("the first fault that fits is shown, as often as it says", () => {
  const switches = new Switches();
  switches.set([
    { kind: "prose" },
    { kind: "empty", model: "b" },
    { kind: "error_500", times: 2 },
    { kind: "error_503" },
  ]);
  const shown = [1, 2, 3].map(() => switches.choose(candidate)?.kind);
  expect(shown).toEqual(["error_500", "error_500", "error_503"]);
  expect(switches.choose({ ...candidate, model: "b" })?.kind).toBe("empty");
  expect(switches.list().map(({ kind, hits }) => [kind, hits])).toEqual([
    ["prose", 0],
    ["empty", 1],
    ["error_503", 1],
  ]);
});

test("a share of all requests is drawn, the same in every run", () => {
  const draw = () => {
    const switches = new Switches();
    switches.set([{ kind: "stall", share: 0.3 }]);
    return Array.from({ length: 2_000 }, (_, index) =>
      switches.choose({ ...candidate, requestId: `r${index}` }),
    ).map((fault) => fault !== undefined);
  };
  const drawn = draw();
  expect(draw()).toEqual(drawn);
  const share = drawn.filter(Boolean).length / drawn.length;
  expect(share).toBeGreaterThan(0.26);
  expect(share).toBeLessThan(0.34);
});

test("a request that is sent again draws again", () => {
  const switches = new Switches();
  switches.set([{ kind: "stall", share: 0.5 }]);
  const shown = Array.from({ length: 50 }, () => switches.choose(candidate));
  expect(new Set(shown).size).toBe(2);
});

test("a fault is over after its time", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const switches = new Switches();
    switches.set([{ kind: "empty", forMs: 1_000 }]);
    vi.advanceTimersByTime(999);
    expect(switches.choose(candidate)?.kind).toBe("empty");
    vi.advanceTimersByTime(1);
    expect(switches.choose(candidate)).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
