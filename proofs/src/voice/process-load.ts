import type { ServerProcess } from "@svc/server/testing";

/** What a process has used, and how late its event loop was since the last look. */
export interface ProcessLoad {
  atMs: number;
  cpuMs: number;
  memoryMb: number;
  loopDelayP99Ms: number;
}

/** As its operations port tells it. */
export async function readLoad({ operationsUrl }: ServerProcess): Promise<ProcessLoad> {
  const metrics = await (await fetch(`${operationsUrl}/metrics`)).text();
  const read = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)`, "m").exec(metrics)?.[1] ?? Number.NaN);
  return {
    atMs: performance.now(),
    cpuMs: read("process_cpu_seconds_total") * 1_000,
    memoryMb: read("process_resident_memory_bytes") / 1_000_000,
    loopDelayP99Ms: read("nodejs_eventloop_lag_p99_seconds") * 1_000,
  };
}
