import type { Db as BossDb } from "pg-boss";
import type pg from "pg";
import { isDatabaseAway } from "../database/db.ts";
import { MOST_CRASHES, MOST_RUNS } from "./job.ts";

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
    this.#excused ??= this.#excuse();
    await this.#excused;
    return this.#query(text, values);
  }

  async #excuse(): Promise<void> {
    try {
      await this.#query(EXCUSE_RUNNING, [this.#wasAway, MOST_CRASHES, MOST_RUNS - 1]);
    } catch (error) {
      this.#excused = undefined;
      throw error;
    }
  }

  async #query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    try {
      const answer: pg.QueryResult | pg.QueryResult[] = await this.#pool.query(text, values);
      // Its maintenance sends several statements at once and reads the rows of all of them.
      return { rows: [answer].flat().flatMap(({ rows }) => rows as unknown[]) };
    } catch (error) {
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
  UPDATE pgboss.job SET retry_limit = least(retry_count + $2, $3)
  WHERE (name, id) IN (
    SELECT name, id FROM pgboss.job
    WHERE state = 'active' AND retry_limit < least(retry_count + $2, $3) AND ($1 OR started_on < pg_postmaster_start_time())
    FOR UPDATE SKIP LOCKED)`;
