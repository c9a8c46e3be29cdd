import { sql } from "kysely";
import type { Db } from "../database/db.ts";
import { createLog } from "../observability/log.ts";
import { createBoss, inTransaction } from "./boss.ts";
import { deadLetterName, QUEUE_OPTIONS } from "./job.ts";
import type { JobQueue } from "./job.ts";

/** Brings pg-boss's schema up to date and makes a queue per job. Any number of processes may call it at once. */
export async function installQueue(db: Db, jobs: readonly JobQueue[]): Promise<void> {
  // Two that make the schema at the same moment fail each other. One connection for all, because
  // pg-boss commits in between, which a lock of one transaction would not outlive.
  await db.connection().execute(async (one) => {
    await sql`SELECT pg_advisory_lock(hashtext('install queue'))`.execute(one);
    try {
      await install(one, jobs);
    } finally {
      await sql`SELECT pg_advisory_unlock(hashtext('install queue'))`.execute(one);
    }
  });
}

async function install(one: Db, jobs: readonly JobQueue[]): Promise<void> {
  const boss = createBoss(inTransaction(one), createLog("silent"), { migrate: true });
  await boss.start();
  try {
    for (const job of jobs) {
      const dead = deadLetterName(job);
      const options = { ...QUEUE_OPTIONS, expireInSeconds: job.expireInSecs, deadLetter: dead };
      await boss.createQueue(dead, QUEUE_OPTIONS);
      await boss.createQueue(job.name, options);
      // Of a queue that was there before, creating changes nothing.
      await boss.updateQueue(job.name, options);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}
