import { setTimeout as delay } from "node:timers/promises";
import type { TestDatabase } from "@svc/server/testing";
import { persist } from "./end-sessions.ts";
import type { Fleet } from "./fleet.ts";
import type { Interruption } from "./job-log.ts";

export interface Frozen {
  since: Interruption;
  /** Jobs that it held when it was frozen. */
  held: number;
  /** Of these, those that it completed after its lease was gone. */
  writtenLate: number;
}

/** A lease lasts ten seconds, and is looked at every two. */
const FROZEN_MS = 14_000;
/** Between an answer and the writing of it: long enough to be frozen there. */
export const PAUSE_MS = 2_000;

/** Freezes a process in the middle of its work until its lease is gone, and thaws it. */
export async function freezeOne(
  fleet: Fleet,
  { pool }: TestDatabase,
  environment: Record<string, string>,
): Promise<Frozen> {
  const one = fleet.start(environment);
  const watching = fleet.watch(one);
  await one.started;
  const held = async (): Promise<{ job: string; tries: number }[]> =>
    (
      await pool.query<{ job: string; tries: number }>(
        `SELECT job, tries FROM job_log AS taken WHERE worker = $1 AND state = 'active' AND at > clock_timestamp() - interval '1 second'
           AND NOT EXISTS (SELECT FROM job_log WHERE job = taken.job AND tries = taken.tries AND state = 'completed')`,
        [one.name],
      )
    ).rows;
  while (one.isWorking() && (await persist(held)).length === 0) await delay(50);
  one.signal("SIGSTOP");
  const since = { atMs: Date.now(), worker: one.name };
  const jobs = await persist(held);
  await delay(FROZEN_MS);
  const thawedAt = new Date();
  one.signal("SIGCONT");
  await delay(PAUSE_MS + 1_000);
  one.signal("SIGKILL");
  await watching;
  const late = await persist(() =>
    pool.query(
      `SELECT 1 FROM job_log JOIN unnest($2::uuid[], $3::integer[]) AS held (job, tries) USING (job, tries)
       WHERE worker = $1 AND state = 'completed' AND at > $4`,
      [one.name, jobs.map(({ job }) => job), jobs.map(({ tries }) => tries), thawedAt],
    ),
  );
  return { since, held: jobs.length, writtenLate: late.rowCount ?? 0 };
}
