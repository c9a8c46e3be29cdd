import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, describe, expect, it } from "vitest";

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

  it("ends when its time is up", async () => {
    const { child, said } = run(100, `life.onStop("endless", () => new Promise(() => {}));`);
    await until(() => said().includes('"up"'));
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([1, null]);
    expect(said()).toContain("did not stop in time");
  });
});
