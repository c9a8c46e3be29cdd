import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import type { NamedClaim } from "./claims.ts";
import fixture from "./fixtures/claims.ts";
import { runProof } from "./run-proof.ts";
import type { Report, RunOptions } from "./run-proof.ts";

const FILE = `${import.meta.dirname}/fixtures/claims.ts`;

async function run(
  names: string[],
  options: Partial<RunOptions> = {},
): Promise<{ reports: Report[]; report: Report; lines: string[] }> {
  const lines: string[] = [];
  const claims = names.map((name): NamedClaim => {
    const claim = fixture.claims[name]!;
    return { name, claim, file: FILE, covers: [] };
  });
  const print = (_: string, line: string): number => lines.push(line);
  const reports = await runProof(FILE, claims, { size: "quick", seed: 7, print, ...options });
  return { reports, report: reports[0]!, lines };
}

it("reports what a claim measured, its size and its bound", async () => {
  const { report, lines } = await run(["reaches-its-bound"], { size: "full" });
  expect(report).toMatchObject({
    name: "reaches-its-bound",
    verdict: "ok",
    figure: "4 (of 5)",
    bound: "≥ 3",
    outcome: { size: "5,000", engines: ["Engine 1"] },
  });
  expect(lines).toContain("reaches-its-bound: 4 (of 5) (≥ 3) ok");
  expect(lines).toContain("on the stage with seed 7");
});

it("opens one stage for all claims of a proof, and closes it last", async () => {
  const { reports, lines } = await run(["falls-short", "reaches-its-bound"], { size: "gate" });
  expect(reports.map(({ verdict }) => verdict)).toEqual(["short", "ok"]);
  expect(reports[1]?.outcome.size).toBe("5");
  expect(lines.filter((line) => line === "opened")).toHaveLength(1);
  // Standard error may arrive later than standard output.
  expect(lines.indexOf("closed")).toBeGreaterThan(lines.indexOf("cleaned first"));
});

it("cleans up in reverse order, past a cleanup that fails", async () => {
  const { lines } = await run(["reaches-its-bound"]);
  const cleaned = lines.filter((line) => line.startsWith("cleaned"));
  expect(cleaned).toEqual(["cleaned last", "cleaned first"]);
  expect(lines.join("\n")).toContain("cannot clean this");
});

it.each(["throws", "throws-from-elsewhere"])("reports a claim that %s", async (name) => {
  const { report, lines } = await run([name]);
  expect(report.verdict).toBe("short");
  expect(report.figure).toMatch(/^failed: (the pump is gone|nobody waits for me)$/);
  expect(lines.join("\n")).toContain("claims.ts:");
  expect(lines).toContain("closed");
});

it("counts a claim that ends its process as broken, and runs those behind it in another", async () => {
  const { reports } = await run(["falls-short", "exits", "reaches-its-bound"]);
  expect(reports.map(({ verdict }) => verdict)).toEqual(["short", "broken", "ok"]);
  expect(reports[1]?.figure).toBe("ended with 0 before it told an outcome");
});

it("ends a claim that hangs, and the child it left behind", async () => {
  const { report, lines } = await run(["hangs"], { limitMs: 1_500 });
  expect(report).toMatchObject({ verdict: "broken", figure: "over its time limit of 1.5 s" });
  expect(lines).toContain("cleaned");
  const child = Number(lines.find((line) => line.startsWith("child "))?.slice("child ".length));
  expect(child).toBeGreaterThan(0);
  await expect.poll(() => isRunning(child)).toBe(false);
});

it("waits only a bounded time for a claim to clean up", async () => {
  const started = performance.now();
  const { report } = await run(["hangs-while-cleaning"], { limitMs: 500, graceMs: 300 });
  expect(report.verdict).toBe("broken");
  expect(performance.now() - started).toBeLessThan(10_000);
});

it("stops when it is interrupted, and lets the claim clean up", async () => {
  const interrupted = new AbortController();
  const running = run(["hangs", "reaches-its-bound"], { signal: interrupted.signal });
  await delay(1_500);
  interrupted.abort();
  const { reports, lines } = await running;
  expect(reports.map(({ figure }) => figure)).toEqual(["interrupted", "not run"]);
  expect(lines).toContain("cleaned");
});

/** A dead child that nobody has collected yet still answers to signal 0, so look at its state. */
async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(await readFile(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
