import type { TestDatabase } from "./database.ts";

/** Holds a table against everybody else until `work` is done. */
export async function whileLocked<T>(
  database: TestDatabase,
  table: string,
  work: () => Promise<T>,
): Promise<T> {
  const locker = await database.pool.connect();
  try {
    await locker.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return await work();
  } finally {
    locker.release(true);
  }
}

/** How many connections of that name wait for a lock right now. */
export async function countLockWaiters(
  database: TestDatabase,
  applicationName: string,
): Promise<number> {
  const { rowCount } = await database.pool.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1 AND wait_event_type = 'Lock'",
    [applicationName],
  );
  return rowCount ?? 0;
}
