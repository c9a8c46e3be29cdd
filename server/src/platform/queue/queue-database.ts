import { sql } from "kysely";
import type pg from "pg";
import type { Db as BossDb } from "pg-boss";
import { isDatabaseAway } from "../database/db.ts";
import type { Db, Trx } from "../database/db.ts";
import { MANY_RUNS, MAX_CRASHES, MAX_RUNS } from "./job.ts";

/**
 * pg-boss on a pool. To pg-boss every run that does not end is one crash more, even if it was the
 * database that went away; so before it gets at its jobs again, those that run begin their count anew.
 */
export class QueueDatabase implements BossDb {
  readonly #pool: pg.Pool;
  #wasAway = false;
  #excused: Promise<void> | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    // A connection that was idle when it was cut.
    pool.on("error", () => this.noteAway());
  }

  /** A statement or a connection was cut: what runs now is not to blame. */
  noteAway(): void {
    this.#wasAway = true;
    this.#excused = undefined;
  }

  async executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    for (;;) {
      this.#excused ??= this.#excuse();
      const excused = this.#excused;
      await excused;
      const client = await this.#connect();
      // The database may have gone and come back while a connection was waited for; its jobs are not excused then.
      if (this.#excused === excused) return this.#query(client, text, values);
      client.release();
    }
  }

  async #excuse(): Promise<void> {
    const { runs, restSecs } = MANY_RUNS;
    const values = [this.#wasAway, MAX_CRASHES, MAX_RUNS - 1, runs, restSecs];
    try {
      await this.#query(await this.#connect(), EXCUSE_RUNNING, values);
    } catch (error) {
      this.#excused = undefined;
      throw error;
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      if (isDatabaseAway(error)) this.noteAway();
      throw error;
    }
  }

  async #query(
    client: pg.PoolClient,
    text: string,
    values?: unknown[],
  ): Promise<{ rows: unknown[] }> {
    try {
      const answer: pg.QueryResult | pg.QueryResult[] = await client.query(text, values);
      client.release();
      // Its maintenance sends several statements at once and reads the rows of all of them.
      return { rows: [answer].flat().flatMap(({ rows }) => rows as unknown[]) };
    } catch (error) {
      client.release(error as Error);
      if (isDatabaseAway(error)) this.noteAway();
      throw error;
    }
  }
}

/**
 * pg-boss gives a job up when a run fails whose `retry_count`, from 0, has reached `retry_limit`. The
 * count is also what fences the run and cannot go back, so the limit moves: five runs are to follow this
 * one. A process that has just started did not see the database go, and asks since when it is up. A row
 * that is locked is of a job that ends right now, and must not be waited for.
 */
const EXCUSE_RUNNING = `
  UPDATE pgboss.job SET retry_limit = least(retry_count + $2, $3),
    retry_delay = CASE WHEN retry_count >= $4 THEN $5 ELSE retry_delay END
  WHERE (name, id) IN (
    SELECT name, id FROM pgboss.job
    WHERE state = 'active' AND (retry_limit < least(retry_count + $2, $3) OR retry_count >= $4 AND retry_delay < $5) AND ($1 OR started_on < pg_postmaster_start_time())
    FOR UPDATE SKIP LOCKED)`;

/**
 * Brings back what was stamped by a database clock that has gone back since. Such a job would wait, or be
 * held by a dead process, and such a queue go without upkeep, for as long as the clock had been ahead.
 */
export async function undoFutureStamps(database: BossDb): Promise<void> {
  await database.executeSql(`
    UPDATE pgboss.job SET created_on = least(created_on, now()), started_on = least(started_on, now()),
      heartbeat_on = least(heartbeat_on, now()),
      start_after = start_after - (greatest(created_on, started_on) - now())
    WHERE state <= 'active' AND (state = 'active' OR start_after > ${SOON}) AND greatest(created_on, started_on) > ${SOON}`);
  await database.executeSql(`
    UPDATE pgboss.queue SET monitor_claim_on = least(monitor_claim_on, now()),
      monitor_on = least(monitor_on, now()), maintain_on = least(maintain_on, now())
    WHERE greatest(monitor_claim_on, monitor_on, maintain_on) > ${SOON}`);
}

/** No stamp is as late as this unless the clock was ahead. */
const SOON = "now() + interval '1 minute'";

/**
 * Removes jobs whose payload names one of these under `key`, dead letters included. A run that is
 * under way loses its claim with its job, so that it writes nothing; one that is just writing is waited for.
 */
export async function forgetJobs(
  trx: Trx,
  key: "sessionId" | "deliveryId",
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`DELETE FROM pgboss.job WHERE data ->> ${key} = ANY (${ids}::text[])`.execute(trx);
}

/** Runners stamp every queue, between them each two seconds; a machine may be slow. */
const SILENT_SECS = 10;

/** Returns whether any process takes jobs at the moment. */
export async function hasRunner(db: Db): Promise<boolean> {
  const { rows } = await sql<{ has: boolean | null }>`
    SELECT max(monitor_claim_on) > now() - make_interval(secs => ${SILENT_SECS}) AS has FROM pgboss.queue`.execute(
    db,
  );
  return rows[0]?.has ?? false;
}

export interface JobCounts {
  /** Not started yet, those whose time has not come included. */
  waiting: number;
  running: number;
}

/** The number of unfinished jobs of each kind; kinds without any are left out. */
export async function queueDepth(db: Db): Promise<Map<string, JobCounts>> {
  const { rows } = await sql<JobCounts & { name: string }>`
    SELECT name, count(*) FILTER (WHERE state < 'active')::integer AS waiting,
      count(*) FILTER (WHERE state = 'active')::integer AS running
    FROM pgboss.job WHERE state <= 'active'
    GROUP BY name`.execute(db);
  return new Map(rows.map(({ name, waiting, running }) => [name, { waiting, running }]));
}
