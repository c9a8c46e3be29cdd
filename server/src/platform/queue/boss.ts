import { sql } from "kysely";
import { PgBoss, fromKysely } from "pg-boss";
import type { CommandResponse, ConstructorOptions, Db as BossDb } from "pg-boss";
import * as z from "zod";
import type { Db, Trx } from "../database/db.ts";
import { createLog } from "../observability/log.ts";
import type { Log } from "../observability/log.ts";
import { QUEUE_OPTIONS, deadLetterName } from "./job.ts";
import type { JobQueue } from "./job.ts";

/** pg-boss on a connection of ours and in its own schema. It is told when to migrate: see `installQueue`. */
export function createBoss(db: BossDb, log: Log, options: ConstructorOptions = {}): PgBoss {
  const boss = new PgBoss({
    db,
    schema: "pgboss",
    schedule: false,
    supervise: false,
    migrate: false,
    registerInstance: false,
    openTelemetry: { enabled: false },
    clock: steadyClock,
    ...options,
  });
  // Without a listener the first hiccup of the database ends the process.
  boss.on("error", (error) => log.warn({ err: error }, "queue: the database did not answer"));
  boss.on("warning", (warning) => log.warn({ warning: warning.message }, "queue"));
  return boss;
}

/** pg-boss inside our own transaction. */
export function inTransaction(trx: Db | Trx): BossDb {
  return fromKysely(trx);
}

/** Which of the jobs named in a call it took effect on: those of which the claim still holds. */
export function settledJobs(answer: CommandResponse): string[] {
  return Settled.parse(answer).settled ?? [];
}

// Its type declarations leave the members out.
const Settled = z.object({ settled: z.array(z.string()).nullish() });

/**
 * It only measures how long something takes: what is stored is stamped by PostgreSQL. A wall clock that goes back would
 * stop the upkeep of the queue for as long, and by more than 24.8 days, the longest timer, make it spin.
 *
 * Its timers must not keep a process alive that only wants to send a job.
 */
const steadyClock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (run: () => void, ms: number) => setTimeout(run, ms).unref(),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (run: () => void, ms: number) => setInterval(run, ms).unref(),
  clearInterval: (timer: unknown) => clearInterval(timer as NodeJS.Timeout),
};

/** Brings pg-boss's schema up to date and makes a queue per job. Any number of processes may call it at once. */
export async function installQueue(db: Db, jobs: readonly JobQueue[]): Promise<void> {
  // Two that make the schema at the same moment fail each other. The lock has a transaction of its
  // own, because pg-boss commits in between; a session's lock would be lost behind a pooler.
  await db.transaction().execute(async (lock) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('install queue'))`.execute(lock);
    await install(db, jobs);
  });
}

async function install(db: Db, jobs: readonly JobQueue[]): Promise<void> {
  const boss = createBoss(inTransaction(db), createLog("silent"), { migrate: true });
  await boss.start();
  try {
    for (const job of jobs) {
      const dead = deadLetterName(job);
      const options = { ...QUEUE_OPTIONS, expireInSeconds: job.expireInSecs, deadLetter: dead };
      await boss.createQueue(dead, QUEUE_OPTIONS);
      await boss.createQueue(job.name, options);
      // Creating a queue that exists changes nothing, so its options are updated.
      await boss.updateQueue(job.name, options);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}
