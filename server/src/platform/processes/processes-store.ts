import { sql } from "kysely";
import type { Db } from "../database/db.ts";

/** A process that has not reported for this long counts as dead. A busy database may delay a report. */
export const LEASE_SECS = 15;

export type ProcessRole = "api" | "live" | "pipeline" | "all";
/** A part of the service. */
export type ProcessPart = Exclude<ProcessRole, "all">;

/** What a process is doing. A member is undefined where the process does no such work. */
export interface ProcessLoad {
  /** Conversations, and the most that it holds. */
  sessions?: number | undefined;
  capacity?: number | undefined;
  /** How late its event loop is, the used part of its memory, and what it is short of: then it takes no new conversation. */
  loopDelayMs?: number | undefined;
  memoryShare?: number | undefined;
  busy?: "event_loop" | "memory" | undefined;
  /** Background jobs that run, and the most that it runs at once. */
  jobs?: number | undefined;
  jobSlots?: number | undefined;
  requestsPerSec?: number | undefined;
}

export interface RunningProcess {
  id: string;
  role: ProcessRole;
  version: string;
  /** Its name in logs and traces. */
  instance: string;
  pid: number;
}

/** A process as it last reported itself. */
export interface ReportedProcess extends RunningProcess {
  startedAt: Date;
  renewedAt: Date;
  /** Stopping: it takes no new work. */
  draining: boolean;
  /** False once its lease has expired: it died, or cannot reach the database. */
  alive: boolean;
  load: ProcessLoad;
}

/** Returns what the database's clock shows, in milliseconds since the epoch. */
export async function upsertProcess(
  db: Db,
  process: RunningProcess & { draining: boolean; load: ProcessLoad },
): Promise<number> {
  const { id, role, version, instance, pid, draining, load } = process;
  const { rows } = await sql<{ nowMs: number }>`
    INSERT INTO processes (id, role, version, instance, pid, started_at, renewed_at, draining,
      sessions, capacity, jobs, job_slots, requests_per_sec, loop_delay_ms, memory_share, busy)
    VALUES (${id}, ${role}, ${version}, ${instance}, ${pid}, clock_timestamp(), clock_timestamp(), ${draining},
      ${load.sessions ?? null}, ${load.capacity ?? null}, ${load.jobs ?? null}, ${load.jobSlots ?? null},
      ${load.requestsPerSec ?? null}, ${load.loopDelayMs ?? null}, ${load.memoryShare ?? null}, ${load.busy ?? null})
    ON CONFLICT (id) DO UPDATE SET renewed_at = excluded.renewed_at, draining = excluded.draining,
      sessions = excluded.sessions, capacity = excluded.capacity, jobs = excluded.jobs,
      job_slots = excluded.job_slots, requests_per_sec = excluded.requests_per_sec,
      loop_delay_ms = excluded.loop_delay_ms, memory_share = excluded.memory_share, busy = excluded.busy
    RETURNING (extract(epoch FROM renewed_at) * 1000)::float8 AS "nowMs"`.execute(db);
  return rows[0]!.nowMs;
}

export async function deleteProcess(db: Db, id: string): Promise<void> {
  await sql`DELETE FROM processes WHERE id = ${id}`.execute(db);
}

/** Deletes the rows of processes that died long ago. */
export async function deleteSilent(db: Db, silentSecs: number): Promise<void> {
  await sql`
    DELETE FROM processes
    WHERE renewed_at < clock_timestamp() - make_interval(secs => ${silentSecs})`.execute(db);
}

/** Processes that have reported within `withinSecs`, by role and age. */
export async function selectProcesses(
  db: Db,
  { leaseSecs, withinSecs }: { leaseSecs: number; withinSecs: number },
): Promise<ReportedProcess[]> {
  const { rows } = await sql<Omit<ReportedProcess, "load"> & Nullable<Required<ProcessLoad>>>`
    SELECT id, role, version, instance, pid, started_at AS "startedAt", renewed_at AS "renewedAt", draining,
      renewed_at > clock_timestamp() - make_interval(secs => ${leaseSecs}) AS alive,
      sessions, capacity, jobs, job_slots AS "jobSlots", requests_per_sec::float8 AS "requestsPerSec",
      loop_delay_ms::float8 AS "loopDelayMs", memory_share::float8 AS "memoryShare", busy
    FROM processes
    WHERE renewed_at > clock_timestamp() - make_interval(secs => ${withinSecs})
    ORDER BY role, started_at, id`.execute(db);
  return rows.map(({ sessions, capacity, jobs, jobSlots, requestsPerSec, ...rest }) => {
    const { loopDelayMs, memoryShare, busy, ...process } = rest;
    return {
      ...process,
      load: {
        sessions: sessions ?? undefined,
        capacity: capacity ?? undefined,
        jobs: jobs ?? undefined,
        jobSlots: jobSlots ?? undefined,
        requestsPerSec: requestsPerSec ?? undefined,
        loopDelayMs: loopDelayMs ?? undefined,
        memoryShare: memoryShare ?? undefined,
        busy: busy ?? undefined,
      },
    };
  });
}

type Nullable<Whole> = { [Name in keyof Whole]: Exclude<Whole[Name], undefined> | null };
