import { setTimeout as delay } from "node:timers/promises";
import type { ServerProcess } from "@svc/server/testing";

export interface Memory {
  /** What is still in use after a garbage collection. */
  liveBytes: number;
  residentBytes: number;
}

/**
 * For the server's NODE_OPTIONS: on SIGUSR2 it lets go of all that it can. A plain collection
 * leaves several MB that only runs at the start, and goes at a time of its own choosing.
 */
export const COLLECT_ON_SIGNAL: string = `--expose-gc ${preload(
  'process.on("SIGUSR2", () => gc({ type: "major", execution: "sync", flavor: "last-resort" }))',
)}`;

/** The same with a planted leak: every request leaves 16 KB behind. */
export const COLLECT_AND_LEAK: string = `${COLLECT_ON_SIGNAL} ${preload(`
  import { Server } from "node:http";
  const left = [];
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (event, ...rest) {
    if (event === "request") left.push(new Array(2048).fill(0));
    return emit.call(this, event, ...rest);
  };
`)}`;

/** Collects garbage in the server a few times, since requests may still be under way. */
export async function liveMemory(server: ServerProcess): Promise<Memory> {
  for (let round = 0; round < COLLECTIONS; round++) {
    process.kill(server.pid, "SIGUSR2");
    await delay(120);
  }
  const metrics = await (await fetch(`${server.operationsUrl}/metrics`)).text();
  const value = (name: string): number =>
    Number(new RegExp(`^${name} (\\d+)`, "m").exec(metrics)?.[1]);
  return {
    liveBytes: value("nodejs_heap_size_used_bytes") + value("nodejs_external_memory_bytes"),
    residentBytes: value("process_resident_memory_bytes"),
  };
}

const COLLECTIONS = 5;

function preload(code: string): string {
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}
