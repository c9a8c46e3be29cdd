import { expect, it } from "vitest";
import type { Report } from "./run-proof.ts";
import { failures, summary } from "./summary.ts";

function report(name: string, verdict: Report["verdict"], figure: string): Report {
  return { name, verdict, figure, bound: "≥ 3", tookMs: 1_234, about: undefined, outcome: {} };
}

const REPORTS = [
  report("holds", "ok", "4"),
  report("falls-short", "short", "2 (of 5)"),
  report("hangs", "broken", "over its time limit of 25 s"),
];

it("shows every proof in columns", () => {
  const [head, ...rows] = summary(REPORTS).split("\n");
  expect(head).toMatch(/^proof +figure +bound +verdict +seconds$/);
  expect(rows.map((row) => row.indexOf("≥ 3"))).toEqual(Array(3).fill(head?.indexOf("bound")));
});

it("names those that failed, with figure and bound", () => {
  expect(failures(REPORTS)).toEqual([
    "falls-short: 2 (of 5) (≥ 3) short",
    "hangs: over its time limit of 25 s (≥ 3) broken",
  ]);
});
