import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { startUpkeep } from "./lifecycle.ts";
import { createLog } from "./observability/log.ts";

const LIFECYCLE = new URL("./lifecycle.ts", import.meta.url).href;
const LOG = new URL("./observability/log.ts", import.meta.url).href;

const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill("SIGKILL")));

/** A process of its own, for it is to be signalled. It says `up` once it listens to signals. */
function run(limitMs: number, body: string): { child: ChildProcess; said(): string } {
  const program = `
    const { Lifecycle } = await import(${JSON.stringify(LIFECYCLE)});
    const { createLog } = await import(${JSON.stringify(LOG)});
    const log = createLog("info");
    const life = new Lifecycle(log, ${limitMs});
    const busy = setInterval(() => {}, 1_000);
    ${body}
    log.info("up");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  return { child, said: () => said };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe.concurrent("a process that is told to stop", () => {
  it("runs its steps, last added first, one after another, and ends by itself", async () => {
    const { child, said } = run(
      5_000,
      `life.onStop("first", async () => { log.info("first " + life.stopping); clearInterval(busy); });
       life.onStop("second", async () => { await new Promise((done) => setTimeout(done, 50)); log.info("second"); });`,
    );
    await until(() => said().includes('"up"'));
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(said()).toMatch(/"stopping".*"second".*"first true".*"stopped"/s);
  });

  it("goes on with the next step when one fails", async () => {
    const { child, said } = run(
      5_000,
      `life.onStop("first", async () => { log.info("first"); clearInterval(busy); });
       life.onStop("thrower", () => { throw new Error("at once"); });
       life.onStop("failer", async () => { throw new Error("no"); });`,
    );
    await until(() => said().includes('"up"'));
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(said()).toMatch(/"step":"failer".*"step":"thrower".*"first"/s);
  });

  it("ends at once on a second signal", async () => {
    const { child, said } = run(60_000, `life.onStop("endless", () => new Promise(() => {}));`);
    await until(() => said().includes('"up"'));
    child.kill("SIGTERM");
    await until(() => said().includes('"stopping"'));
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([1, null]);
    expect(said()).toContain("stopping at once");
  });

  it("ends when the time for the rest is up, which never makes it longer", async () => {
    const { child, said } = run(
      60_000,
      `life.onStop("endless", () => new Promise(() => {}));
       life.onStop("conversations", async () => { life.limitRest(100); life.limitRest(30_000); });`,
    );
    await until(() => said().includes('"up"'));
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([1, null]);
    expect(said()).toContain("did not stop in time");
  });

  it("ends when its time is up", async () => {
    const { child, said } = run(100, `life.onStop("endless", () => new Promise(() => {}));`);
    await until(() => said().includes('"up"'));
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([1, null]);
    expect(said()).toContain("did not stop in time");
  });
});

it("runs each task at once and every hour, also after one that failed", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const log = createLog("error", { write: (line) => void lines.push(line) });
  const ran: string[] = [];
  const upkeep = await startUpkeep(
    [
      { run: () => Promise.reject(new Error("no")), failure: "partitions could not be made" },
      { run: async () => ran.push("visits"), failure: "visits could not be forgotten" },
    ],
    log,
  );
  expect(ran).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2 * 3_600_000);
  expect(ran).toHaveLength(3);
  expect(lines).toHaveLength(3);
  expect(lines.every((line) => line.includes("partitions could not be made"))).toBe(true);
  upkeep.stop();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(ran).toHaveLength(3);
});
