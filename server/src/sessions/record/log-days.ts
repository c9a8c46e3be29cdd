import { transact } from "#platform";
import type { Db } from "#platform";
import {
  createLogDay,
  dropPartition,
  isEmpty,
  lockLog,
  selectLogDays,
  selectOldLogDays,
} from "./log-days-store.ts";
import type { LogDay } from "./log-days-store.ts";

/** Makes the live log's partitions for today and the days ahead. A turn of a day without one cannot be stored. */
export async function makeLogPartitions(db: Db, daysAhead: number): Promise<void> {
  for (let day = 0; day <= daysAhead; day++) await createLogDay(db, day);
}

/** Returns whether the live log can store the turns of today and of tomorrow, in UTC. */
export async function listLogDays(db: Db): Promise<{ day: string; made: boolean }[]> {
  return selectLogDays(db);
}

/** No conversation can last that long, so the day gets no more rows. */
const ENDED_DAYS_AGO = 2;
/** Conversations wait while this lock is being waited for. */
const LOCK_WAIT_MS = 100;

/** Drops the partitions of old days of the live log that are empty, and returns how many. */
export async function dropEmptyLogDays(db: Db): Promise<number> {
  let dropped = 0;
  for (const day of await selectOldLogDays(db, ENDED_DAYS_AGO)) {
    // Checked without a lock first, because most days are not empty.
    if ((await isEmpty(db, day.partition)) && (await drop(db, day))) dropped += 1;
  }
  return dropped;
}

/** False when the log is busy: the next run tries again. */
async function drop(db: Db, { log, partition }: LogDay): Promise<boolean> {
  try {
    return await transact(db, async (trx) => {
      await lockLog(trx, log, LOCK_WAIT_MS);
      if (!(await isEmpty(trx, partition))) return false;
      await dropPartition(trx, partition);
      return true;
    });
  } catch (error) {
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

const LOCK_NOT_AVAILABLE = "55P03";
