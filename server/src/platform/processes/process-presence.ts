import type { Clock } from "../clock.ts";
import type { Db } from "../database/db.ts";
import { newUuid } from "../ids.ts";
import type { Log } from "../observability/log.ts";
import {
  deleteProcess,
  deleteSilent,
  LEASE_SECS,
  selectProcesses,
  upsertProcess,
} from "./processes-store.ts";
import type {
  ProcessLoad,
  ProcessPart,
  ProcessRole,
  ReportedProcess,
  RunningProcess,
} from "./processes-store.ts";
import { reportServices } from "./services-in-use.ts";
import type { PartServices } from "./services-in-use.ts";

export type { ProcessLoad, ProcessPart, ProcessRole, ReportedProcess } from "./processes-store.ts";

/** The interval at which a process reports itself. */
const REPORT_MS = 3_000;
/** A dead process is still shown for this long, so that an operator sees which one it was. */
const SHOWN_SECS = 600;
/** Rows of dead processes are deleted after this long. */
const FORGOTTEN_SECS = 86_400;

export interface PresenceOptions extends Omit<RunningProcess, "id"> {
  db: Db;
  log: Log;
  clock: Clock;
  /** Told with every report what the database's clock shows. */
  onDatabaseTime?: (databaseMs: number) => void;
  /** What it does at the moment. `requests` counts up from the start of the process. */
  load(): Omit<ProcessLoad, "requestsPerSec"> & { requests?: number | undefined };
  isDraining(): boolean;
  /** Shown to visitors. */
  services: PartServices;
}

export interface ProcessPresence {
  /** Reports that it is draining, instead of at the next interval. */
  report(): Promise<void>;
  /** Removes its row. */
  stop(): Promise<void>;
}

/** Reports this process to `svc status` and the doctor every few seconds, whatever its role. */
export async function startPresence(options: PresenceOptions): Promise<ProcessPresence> {
  const { db, log, clock, role, version, instance, pid } = options;
  const id = newUuid();
  let last = { requests: options.load().requests ?? 0, atMs: clock.monotonicMs() };
  const sampleLoad = (): ProcessLoad => {
    const { requests, ...load } = options.load();
    if (requests === undefined) return load;
    const atMs = clock.monotonicMs();
    const secs = Math.max(atMs - last.atMs, 1) / 1_000;
    const requestsPerSec = (requests - last.requests) / secs;
    last = { requests, atMs };
    return { ...load, requestsPerSec };
  };
  const report = async (): Promise<void> => {
    const draining = options.isDraining();
    try {
      const load = sampleLoad();
      const nowMs = await upsertProcess(db, { id, role, version, instance, pid, draining, load });
      options.onDatabaseTime?.(nowMs);
      await reportServices(db, options.services);
    } catch (error) {
      log.warn({ err: error }, "this process could not be reported");
    }
  };

  // A database that is slow at this moment is no reason not to start.
  await deleteSilent(db, FORGOTTEN_SECS).catch((error: unknown) =>
    log.warn({ err: error }, "processes that died long ago could not be forgotten"),
  );
  await report();
  // One report at a time: a slow database must not let them pile up.
  let reporting: Promise<void> | undefined;
  const timer = setInterval(() => {
    reporting ??= report().finally(() => (reporting = undefined));
  }, REPORT_MS);
  return {
    report,
    stop: async () => {
      clearInterval(timer);
      // A report that is under way would write the row again.
      await reporting;
      await deleteProcess(db, id).catch(() => {});
    },
  };
}

/** Processes that are alive, draining ones included. */
export async function livingProcesses(db: Db): Promise<ReportedProcess[]> {
  return selectProcesses(db, { leaseSecs: LEASE_SECS, withinSecs: LEASE_SECS });
}

/** The same, and those that died within the last ten minutes. */
export async function reportedProcesses(db: Db): Promise<ReportedProcess[]> {
  return selectProcesses(db, { leaseSecs: LEASE_SECS, withinSecs: SHOWN_SECS });
}

/** The parts of the service that no process takes new work for. */
export function missingRoles(processes: readonly ReportedProcess[]): ProcessPart[] {
  return (["api", "live", "pipeline"] as const).filter(
    (part) => !processes.some((one) => takesWork(one, part)),
  );
}

/** Whether a process takes new work of that part. */
export function takesWork({ role, alive, draining }: ReportedProcess, part: ProcessPart): boolean {
  return alive && !draining && runsPart(role, part);
}

/** A process with the role `all` does everything. */
export function runsPart(role: ProcessRole, part: ProcessPart): boolean {
  return role === part || role === "all";
}
