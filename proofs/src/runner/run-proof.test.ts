import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { describeProof, runProof } from "./run-proof.ts";
import type { Report, RunOptions } from "./run-proof.ts";

async function run(
  name: string,
  options: Partial<RunOptions> = {},
): Promise<{ report: Report; lines: string[] }> {
  const lines: string[] = [];
  const report = await runProof(`${import.meta.dirname}/fixtures/${name}.ts`, {
    full: false,
    print: (line) => lines.push(line),
    ...options,
  });
  return { report, lines };
}

it("takes figure and bound from the closing line, the rest from the proof's own words", async () => {
  const { report, lines } = await run("reaches-its-bound", { full: true });
  expect(report).toMatchObject({
    name: "reaches-its-bound",
    verdict: "ok",
    figure: "4 (of 5)",
    bound: "≥ 3",
    about: { promise: "It reaches its bound." },
    outcome: { size: "5,000", engines: ["Engine 1"] },
  });
  // The failed cleaning goes to standard error, which may arrive before or after.
  const printed = lines.filter((line) => !/^Cleaning up failed|^ {4}at /.test(line));
  expect(printed.at(-1)).toBe("reaches-its-bound: 4 (of 5) (≥ 3) ok");
});

it("cleans up in reverse order, past a cleaning that fails", async () => {
  const { lines } = await run("reaches-its-bound");
  const cleaned = lines.filter((line) => line.startsWith("cleaned"));
  expect(cleaned).toEqual(["cleaned last", "cleaned first"]);
  expect(lines.join("\n")).toContain("cannot clean this");
});

it("tells a measured shortfall from a fault", async () => {
  expect((await run("falls-short")).report).toMatchObject({ verdict: "short", figure: "2" });
});

it.each(["throws", "throws-from-elsewhere"])("closes a proof that %s", async (name) => {
  const { report, lines } = await run(name);
  expect(report.verdict).toBe("short");
  expect(report.figure).toMatch(/^failed: (the pump is gone|nobody waits for me)$/);
  expect(lines.join("\n")).toContain(`${name}.ts:`);
});

it("counts a proof without a closing line as broken, though it exits with 0", async () => {
  expect((await run("says-nothing")).report).toMatchObject({
    verdict: "broken",
    figure: "no closing line of its own, exit code 0",
  });
});

it("believes neither the line nor the exit code where they differ", async () => {
  expect((await run("contradicts-itself")).report.figure).toBe("says ok but exits with 1");
});

it("ends a proof that hangs, and the child it left behind", async () => {
  const { report, lines } = await run("hangs", { limitMs: 1_000 });
  expect(report).toMatchObject({ verdict: "broken", figure: "over its time limit of 1 s" });
  expect(lines).toContain("cleaned");
  const child = Number(lines.find((line) => line.startsWith("child "))?.slice("child ".length));
  expect(child).toBeGreaterThan(0);
  await expect.poll(() => isRunning(child)).toBe(false);
});

it("does not wait for ever for a proof to clean up", async () => {
  const started = performance.now();
  const { report } = await run("hangs-while-cleaning", { limitMs: 500, graceMs: 300 });
  expect(report.verdict).toBe("broken");
  expect(performance.now() - started).toBeLessThan(10_000);
});

it("stops when it is interrupted, and lets the proof clean up", async () => {
  const interrupted = new AbortController();
  const running = run("hangs", { signal: interrupted.signal });
  await delay(700);
  interrupted.abort();
  const { report, lines } = await running;
  expect(report.figure).toBe("interrupted");
  expect(lines).toContain("cleaned");
});

it("describes a proof without running it", async () => {
  const about = await describeProof(`${import.meta.dirname}/fixtures/hangs.ts`);
  expect(about?.promise).toBe("It hangs and leaves a child behind.");
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
