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

/** Whether the live log can store the turns of today and of tomorrow, in UTC. */
export async function listLogDays(db: Db): Promise<{ day: string; made: boolean }[]> {
  return selectLogDays(db);
}

/** No conversation of that day can still be going on. */
const ENDED_DAYS_AGO = 2;
/** Conversations wait behind whoever waits for this lock. */
const LOCK_WAIT_MS = 100;

/** Drops the old days of the live log whose last row is gone, and says how many partitions that were. */
export async function dropEmptyLogDays(db: Db): Promise<number> {
  let dropped = 0;
  for (const day of await selectOldLogDays(db, ENDED_DAYS_AGO)) {
    // Without a lock first: most days hold something.
    if ((await isEmpty(db, day.partition)) && (await drop(db, day))) dropped += 1;
  }
  return dropped;
}

/** False when the log is busy: the next look will find it again. */
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
