import type { Db, Trx } from "#platform";
import { sql } from "kysely";

export interface LogDay {
  log: string;
  partition: string;
}

/** Creates the partitions of the live log for one day, unless they exist. */
export async function createLogDay(db: Db, daysAhead: number): Promise<void> {
  await sql`SELECT make_log_partitions((now() AT TIME ZONE 'UTC')::date + ${daysAhead}::integer)`.execute(
    db,
  );
}

/** Returns whether the live log has its partitions for today and for tomorrow, in UTC. */
export async function selectLogDays(db: Db): Promise<{ day: string; made: boolean }[]> {
  const { rows } = await sql<{ day: string; made: boolean }>`
    SELECT day::text, to_regclass('turns' || suffix) IS NOT NULL AND to_regclass('session_events' || suffix) IS NOT NULL AS made
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date + ahead AS day FROM generate_series(0, 1) AS ahead) AS days
    CROSS JOIN LATERAL to_char(day, '"_"YYYYMMDD') AS suffix
    ORDER BY day`.execute(db);
  return rows;
}

/** Partitions of the live log, the oldest first, whose day ended that many days ago or earlier. */
export async function selectOldLogDays(db: Db, endedDaysAgo: number): Promise<LogDay[]> {
  const { rows } = await sql<LogDay>`
    SELECT parent.relname AS log, child.relname AS partition
    FROM pg_inherits
    JOIN pg_class AS parent ON parent.oid = inhparent
    JOIN pg_class AS child ON child.oid = inhrelid
    WHERE inhparent IN ('turns'::regclass, 'session_events'::regclass)
      AND child.relname < parent.relname || to_char((now() AT TIME ZONE 'UTC')::date - ${endedDaysAgo}::integer, '"_"YYYYMMDD')
      AND child.relname ~ '_[0-9]{8}$'
    ORDER BY child.relname`.execute(db);
  return rows;
}

export async function isEmpty(db: Db | Trx, partition: string): Promise<boolean> {
  const { rows } = await sql<{ empty: boolean }>`
    SELECT NOT EXISTS (SELECT FROM ${sql.table(partition)}) AS empty`.execute(db);
  return rows[0]!.empty;
}

/**
 * Locks the log before its partition, as every writer does. Fails rather than hold up writers for
 * longer than `waitMs`.
 */
export async function lockLog(trx: Trx, log: string, waitMs: number): Promise<void> {
  await sql`SELECT set_config('lock_timeout', ${String(waitMs)}, true)`.execute(trx);
  await sql`LOCK TABLE ${sql.table(log)} IN ACCESS EXCLUSIVE MODE`.execute(trx);
}

export async function dropPartition(trx: Trx, partition: string): Promise<void> {
  await sql`DROP TABLE ${sql.table(partition)}`.execute(trx);
}
