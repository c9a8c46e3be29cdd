import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { PlannedWalk } from "./history.ts";

/** The Python process in which all clients walk. */
export interface ExportClients {
  walk(planned: PlannedWalk, token: string): Walk;
  stop(): void;
}

export interface Walk {
  /** The `since` it began with, in unix seconds. */
  since: number;
  /** Nothing will change any more: walks on until nothing new comes, and reports. */
  finish(): Promise<WalkReport>;
}

export interface WalkReport {
  ids: string[];
  requests: number;
  /** Why it gave up: an endless loop, a page out of order, an active session, a wrong answer. */
  fault: string | null;
}

const CLIENT = fileURLToPath(new URL("export_client.py", import.meta.url));

export function startExportClients(baseUrl: string): ExportClients {
  const child = spawn("python3", [CLIENT, baseUrl], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map<number, PromiseWithResolvers<WalkReport>>();
  let walks = 0;
  const send = (order: object): void => void child.stdin.write(`${JSON.stringify(order)}\n`);

  createInterface(child.stdout).on("line", (line) => {
    const { walk, ...report } = JSON.parse(line) as WalkReport & { walk: number };
    waiting.get(walk)?.resolve(report);
    waiting.delete(walk);
  });
  let stopped = false;
  let fault: Error | undefined;
  function gone(why: string): void {
    if (stopped) return;
    fault ??= new Error(`the Python client ${why}`);
    for (const { reject } of waiting.values()) reject(fault);
  }
  child.on("error", (error) => gone(`could not start: ${error.message}`));
  child.on("exit", (code) => gone(`ended with ${code}`));
  // Writing to a client that is gone; its exit says the rest.
  child.stdin.on("error", () => {});

  return {
    walk({ joinMs, ...planned }, token) {
      if (fault !== undefined) throw fault;
      const walk = ++walks;
      const report = Promise.withResolvers<WalkReport>();
      // Who waits for it comes later.
      report.promise.catch(() => {});
      waiting.set(walk, report);
      const since = joinMs === 0 ? 0 : Math.floor(Date.now() / 1_000);
      send({ walk, since, token, ...planned });
      return {
        since,
        finish: () => {
          send({ settled: walk });
          return report.promise;
        },
      };
    },
    stop: () => {
      stopped = true;
      child.kill();
    },
  };
}
