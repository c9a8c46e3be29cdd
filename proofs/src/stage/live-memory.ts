import { setTimeout as delay } from "node:timers/promises";
import type { ServerProcess } from "@svc/server/testing";

const COLLECTIONS = 5;

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

interface Memory {
  /** What is still in use after a garbage collection. */
  liveBytes: number;
  residentBytes: number;
}

/**
 * For the server's NODE_OPTIONS: on SIGUSR2 it lets go of all that it can. A plain collection
 * leaves several MB that are needed only at the start, and frees them at a time of its own choosing.
 */
export const COLLECT_ON_SIGNAL: string = `--expose-gc ${preload(
  'process.on("SIGUSR2", () => gc({ type: "major", execution: "sync", flavor: "last-resort" }))',
)}`;

/** For NODE_OPTIONS: runs this module before the server. */
export function preload(code: string): string {
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}
