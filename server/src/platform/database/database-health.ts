import { sql } from "kysely";
import type { Db } from "./db.ts";

/** What PostgreSQL says about itself, for the doctor. Each function is one look. */
export interface ConnectionFacts {
  /** Connections that this login may open, those reserved for others left out. */
  available: number;
  /** Connections that are open, whoever opened them. */
  used: number;
  /** Those of programs other than Svc. */
  others: number;
}

export async function connectionFacts(db: Db): Promise<ConnectionFacts> {
  // The limits of a database and of a role are -1 where there is none.
  const { rows } = await sql<ConnectionFacts & { ours: number }>`
    SELECT least(
        current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
          - coalesce(current_setting('reserved_connections', true)::integer, 0),
        nullif((SELECT datconnlimit FROM pg_database WHERE datname = current_database()), -1),
        nullif((SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user), -1)
      ) AS available,
      (SELECT sum(numbackends)::integer FROM pg_stat_database) AS used,
      (SELECT count(*)::integer FROM pg_stat_activity
       WHERE datname = current_database() AND usename IN (current_user, 'svc_export')) AS ours`.execute(
    db,
  );
  const { available, used, ours } = rows[0]!;
  return { available, used, others: Math.max(0, used - ours) };
}

/** Megabytes that `tryWriting` stores. */
export const TRIED_MEGABYTES = 4;

/**
 * Stores some megabytes beside the sessions and takes them back, because PostgreSQL cannot tell how
 * full its disk is. Throws PostgreSQL's error: 53100 when the disk is full, 25006 when it only reads.
 */
export async function tryWriting(db: Db): Promise<void> {
  const undo = new Error("undo");
  const work = db.transaction().execute(async (trx) => {
    await sql`
      SELECT set_config('temp_tablespaces', coalesce((
        SELECT quote_ident(spcname) FROM pg_tablespace
        WHERE oid = (SELECT reltablespace FROM pg_class WHERE oid = to_regclass('sessions'))
          AND has_tablespace_privilege(oid, 'CREATE')), ''), true)`.execute(trx);
    // A row takes 64 bytes.
    await sql`
      CREATE TEMP TABLE svc_doctor AS
      SELECT md5(n::text) FROM generate_series(1, ${sql.lit(TRIED_MEGABYTES * 16_384)}) AS n`.execute(
      trx,
    );
    throw undo;
  });
  await work.catch((error: unknown) => {
    if (error !== undo) throw error;
  });
}

export interface TransactionFacts {
  /** The oldest transaction that is open for more than an hour, or idle for more than five minutes. */
  oldest: { pid: number; application: string; state: string; secs: number } | null;
  /** The oldest transaction that was prepared more than five minutes ago and neither committed nor rolled back. */
  prepared: { gid: string; secs: number } | null;
  /** Transactions since the oldest one that is not frozen yet. PostgreSQL stops writing at two billion. */
  age: number;
}

/** What keeps PostgreSQL from cleaning up. Without the right to see other logins' sessions, only our own. */
export async function transactionFacts(db: Db): Promise<TransactionFacts> {
  const { rows } = await sql<TransactionFacts>`
    SELECT (SELECT age(datfrozenxid) FROM pg_database WHERE datname = current_database()) AS age,
      (SELECT json_build_object('pid', pid, 'application', application_name, 'state', state, 'secs', extract(epoch FROM now() - xact_start))
       FROM pg_stat_activity
       WHERE datname = current_database() AND backend_type = 'client backend' AND (xact_start < now() - interval '1 hour'
         OR (state LIKE 'idle in transaction%' AND state_change < now() - interval '5 minutes'))
       ORDER BY xact_start LIMIT 1) AS oldest,
      (SELECT json_build_object('gid', gid, 'secs', extract(epoch FROM now() - prepared))
       FROM pg_prepared_xacts WHERE database = current_database() AND prepared < now() - interval '5 minutes'
       ORDER BY prepared LIMIT 1) AS prepared`.execute(db);
  return rows[0]!;
}
