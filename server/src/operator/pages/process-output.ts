import type { ReportedProcess } from "#platform";
import type { StatusProcess } from "@svc/contract/types";

export function toProcess(process: ReportedProcess): StatusProcess {
  const { instance, role, version, pid, alive, draining, startedAt, renewedAt, load } = process;
  const { sessions, capacity, jobs, jobSlots, requestsPerSec, loopDelayMs, memoryShare, busy } =
    load;
  const dead = alive ? undefined : "gone";
  const running = busy === undefined ? "running" : "busy";
  return {
    instance,
    role,
    version,
    pid,
    state: dead ?? (draining ? "draining" : running),
    started_at: startedAt.toISOString(),
    seen_at: renewedAt.toISOString(),
    ...(sessions !== undefined && { sessions }),
    ...(capacity !== undefined && { capacity }),
    ...(jobs !== undefined && { jobs }),
    ...(jobSlots !== undefined && { job_slots: jobSlots }),
    ...(requestsPerSec !== undefined && {
      requests_per_sec: Math.round(requestsPerSec * 10) / 10,
    }),
    ...(loopDelayMs !== undefined && { loop_delay_ms: Math.round(loopDelayMs) }),
    ...(memoryShare !== undefined && { memory_percent: Math.round(memoryShare * 100) }),
    ...(busy !== undefined && { busy }),
  };
}
