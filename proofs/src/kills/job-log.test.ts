import { expect, it } from "vitest";
import { recoveries } from "./job-log.ts";
import type { JobEntry } from "./job-log.ts";

const taken = (job: string, worker: string, atMs: number): JobEntry => ({
  job,
  name: "evaluate",
  worker,
  atMs,
  tries: 0,
  state: "active",
});

it("measures from the end of the process that had the job to its next start", () => {
  const entries = [
    taken("a", "one", 1_000),
    taken("b", "two", 1_100),
    taken("a", "two", 12_000),
    taken("b", "three", 14_000),
  ];
  const interruptions = [
    { atMs: 1_500, worker: "one" },
    { atMs: 4_000, worker: "two" },
  ];
  expect(recoveries(entries, interruptions)).toEqual({ gapsMs: [10_500, 10_000], unexplained: [] });
});

it("counts from the job where a dying process takes one after its end", () => {
  const entries = [taken("a", "one", 1_000), taken("a", "two", 12_000)];
  expect(recoveries(entries, [{ atMs: 990, worker: "one" }])).toEqual({
    gapsMs: [11_000],
    unexplained: [],
  });
});

it("takes an outage of the database for an end of every process", () => {
  const entries = [taken("a", "one", 1_000), taken("a", "one", 3_000)];
  expect(recoveries(entries, [{ atMs: 1_200 }])).toEqual({ gapsMs: [1_800], unexplained: [] });
});

it("reports a job that ran again for no reason", () => {
  const entries = [taken("a", "one", 1_000), taken("a", "two", 3_000)];
  expect(recoveries(entries, [{ atMs: 1_200, worker: "two" }])).toEqual({
    gapsMs: [],
    unexplained: ["evaluate a"],
  });
});
