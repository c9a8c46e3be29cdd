import { sql } from "kysely";
import { describe, expect, vi } from "vitest";
import { databaseTest } from "#testing/database-test";
import { createDb, createPool, isDatabaseAway, transact } from "./db.ts";
import type { Db } from "./db.ts";
import { createLog } from "../observability/log.ts";

const log = createLog("silent");

function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("real errors", () => {
  databaseTest("a refused connection, an unknown host: away", async ({ database }) => {
    for (const host of ["127.0.0.1:1", "host.invalid:5432"]) {
      const url = database.url.replace(/@[^/]+/, `@${host}`);
      const pool = createPool(
        { url, name: "test", maxConnections: 1, statementTimeoutMs: 1_000 },
        log,
      );
      expect(isDatabaseAway(await failure(pool.query("SELECT 1"))), host).toBe(true);
      await pool.end();
    }
  });

  // P3
  databaseTest(
    "a backend that is terminated, at work or idle: away, and the pool goes on",
    async ({ database }) => {
      const pool = createPool(
        { url: database.url, name: "victim", maxConnections: 1, statementTimeoutMs: 5_000 },
        log,
      );
      const terminate = () =>
        database.pool.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'victim'",
        );
      const sleeping = failure(pool.query("SELECT pg_sleep(5)"));
      await vi.waitUntil(async () => (await terminate()).rowCount === 1, { timeout: 5_000 });
      expect(isDatabaseAway(await sleeping)).toBe(true);

      await pool.query("SELECT 1");
      await terminate();
      await vi.waitUntil(async () => pool.totalCount === 0, { timeout: 5_000 });
      expect((await pool.query("SELECT 1")).rowCount).toBe(1);
      await pool.end();
    },
  );

  // P6
  databaseTest(
    "a statement that runs too long: stopped by the server, away",
    async ({ database }) => {
      const pool = createPool(
        { url: database.url, name: "slow", maxConnections: 1, statementTimeoutMs: 50 },
        log,
      );
      const error = await failure(pool.query("SELECT pg_sleep(5)"));
      expect(error).toMatchObject({ code: "57014" });
      expect(isDatabaseAway(error)).toBe(true);
      await pool.end();
    },
  );

  // P4
  databaseTest(
    "a frozen backend: given up by the client, away, and its connection is never used again",
    async ({ database }) => {
      const pool = createPool(
        { url: database.url, name: "frozen", maxConnections: 1, statementTimeoutMs: 10 },
        log,
      );
      const db = createDb(pool);
      const pid = await backendPid(db);
      process.kill(pid, "SIGSTOP");
      try {
        const error = await failure(sql`SELECT 1`.execute(db));
        expect(error).toMatchObject({ message: "Query read timeout" });
        expect(isDatabaseAway(error)).toBe(true);
        expect(await backendPid(db)).not.toBe(pid);
      } finally {
        process.kill(pid, "SIGCONT");
      }
      await db.destroy();
    },
  );

  // P7
  databaseTest("no free connection within a second: away", async ({ database }) => {
    const pool = createPool(
      { url: database.url, name: "full", maxConnections: 1, statementTimeoutMs: 5_000 },
      log,
    );
    const held = await pool.connect();
    const startedAt = performance.now();
    expect(isDatabaseAway(await failure(pool.connect()))).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    held.release();
    await pool.end();
  });

  databaseTest("a mistake of ours: not away", async ({ database }) => {
    for (const statement of [
      "SELECT * FROM nowhere",
      "SELECT 1/0",
      "INSERT INTO accounts (name) VALUES ('x')",
    ]) {
      expect(isDatabaseAway(await failure(database.pool.query(statement))), statement).toBe(false);
    }
  });
});

describe("one unit of work", () => {
  // P8
  databaseTest("runs again after a deadlock, and nothing is done twice", async ({ database }) => {
    await database.pool.query(
      "CREATE TABLE counters (id integer PRIMARY KEY, n integer); INSERT INTO counters VALUES (1, 0), (2, 0)",
    );
    let runs = 0;
    const bothHoldOne = Promise.withResolvers<void>();
    const add = (first: number, second: number) =>
      transact(database.db, async (trx) => {
        await sql`UPDATE counters SET n = n + 1 WHERE id = ${first}`.execute(trx);
        if (++runs === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await sql`UPDATE counters SET n = n + 1 WHERE id = ${second}`.execute(trx);
      });
    await Promise.all([add(1, 2), add(2, 1)]);
    expect(runs).toBeGreaterThan(2);
    expect((await database.pool.query("SELECT n FROM counters")).rows).toEqual([
      { n: 2 },
      { n: 2 },
    ]);
  });

  // P8
  databaseTest(
    "runs again after a serialization failure, three times at most",
    async ({ database }) => {
      const fail = (code: string, times: number) => {
        let runs = 0;
        const done = transact(database.db, async (trx) => {
          if (++runs <= times)
            await sql
              .raw(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`)
              .execute(trx);
          return runs;
        });
        return done.catch(() => `gave up after ${runs}`);
      };
      expect(await fail("40001", 2)).toBe(3);
      expect(await fail("40001", 3)).toBe("gave up after 3");
      for (const code of ["23505", "57014", "55P03", "P0001"])
        expect(await fail(code, 1), code).toBe("gave up after 1");
    },
  );

  databaseTest("leaves nothing when it fails", async ({ database }) => {
    await database.pool.query("CREATE TABLE notes (text text)");
    const error = new Error("changed my mind");
    const work = transact(database.db, async (trx) => {
      await sql`INSERT INTO notes VALUES ('x')`.execute(trx);
      throw error;
    });
    await expect(work).rejects.toBe(error);
    expect((await database.pool.query("SELECT * FROM notes")).rowCount).toBe(0);
  });
});

describe("a pool that prepares", () => {
  databaseTest("gives a statement to PostgreSQL once per connection", async ({ database }) => {
    const pool = createPool(
      {
        url: database.url,
        name: "prepares",
        maxConnections: 1,
        statementTimeoutMs: 5_000,
        prepared: true,
      },
      log,
    );
    const db = createDb(pool);
    for (const number of [1, 2, 3]) {
      const { rows } = await sql<{ sum: number }>`SELECT ${number}::integer + 1 AS sum`.execute(db);
      expect(rows).toEqual([{ sum: number + 1 }]);
    }
    await transact(db, (trx) => sql`SELECT ${"x"}::text AS text`.execute(trx));
    const prepared = await pool.query("SELECT statement FROM pg_prepared_statements ORDER BY name");
    expect(prepared.rows).toEqual([
      { statement: "SELECT $1::integer + 1 AS sum" },
      { statement: "SELECT $1::text AS text" },
    ]);
    await db.destroy();
  });
});

async function backendPid(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
  return rows[0]!.pid;
}
