import type { PgBoss } from "pg-boss";
import type { Db, Trx } from "../database/db.ts";
import type { Log } from "../observability/log.ts";
import { createBoss, inTransaction } from "./boss.ts";
import type { Job } from "./job.ts";

/** Writes jobs in the transaction of the fact that calls for them: a rollback leaves neither. */
export interface JobSender {
  send<Payload extends object>(
    trx: Trx,
    job: Job<Payload>,
    payloads: Payload[],
    options?: SendOptions,
  ): Promise<void>;
}

export interface SendOptions {
  /** The delay before the job may run. */
  afterSecs?: number;
  /** Higher runs first. 0 by default. */
  priority?: number;
}

/**
 * Opened when the first job is sent, on the connection of its own transaction: if it asked the pool
 * for another one, as many transactions as there are connections could all wait for each other without end.
 * Nothing to close.
 */
export function createJobSender(db: Db, log: Log): JobSender {
  let started: Promise<PgBoss> | undefined;
  const open = async (trx: Trx): Promise<PgBoss> => {
    let connection: Db | Trx = trx;
    const boss = createBoss(
      { executeSql: (text, values) => inTransaction(connection).executeSql(text, values) },
      log,
    );
    await boss.start();
    connection = db;
    return boss;
  };
  return {
    async send(trx, job, payloads, { afterSecs, priority } = {}) {
      started ??= open(trx).catch((error: unknown) => {
        // The database may be away just now, and back for the next one.
        started = undefined;
        throw error;
      });
      const boss = await started;
      const jobs = payloads.map((data) => ({
        data,
        ...(afterSecs !== undefined && { startAfter: afterSecs }),
        ...(priority !== undefined && { priority }),
      }));
      await boss.insert(job.name, jobs, { db: inTransaction(trx) });
    },
  };
}
