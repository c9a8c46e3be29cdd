import type pg from "pg";
import { describe, expect } from "vitest";
import { databaseTest } from "#testing/database-test";
import { copyOut } from "./copy-out.ts";
import { createPool, isDatabaseAway } from "./db.ts";
import { createLog } from "../observability/log.ts";

async function withPool(
  url: string,
  statementTimeoutMs: number,
  work: (pool: pg.Pool) => Promise<void>,
): Promise<void> {
  const pool = createPool(
    { url, name: "copy", maxConnections: 1, statementTimeoutMs, muchData: true },
    createLog("silent"),
  );
  await work(pool);
  await pool.end();
}

/** Copies as the export does: a failure gives the connection up. */
async function copy(pool: pg.Pool, statement: string, onRow: (row: Buffer) => void): Promise<void> {
  const client = await pool.connect();
  try {
    await copyOut(client, statement, onRow);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function backendPid(pool: pg.Pool): Promise<number> {
  return (await pool.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]!.pid;
}

describe("copyOut", () => {
  databaseTest(
    "hands over each row whole, however large or small, in order",
    async ({ database }) => {
      await withPool(database.url, 10_000, async (pool) => {
        const lengths = [0, 1, 70_000, 3, 1_000_000, 0, 65_536, 8_192];
        const rows: string[] = [];
        await copy(
          pool,
          `COPY (SELECT repeat('é', n) FROM unnest(ARRAY[${lengths.join(",")}]) WITH ORDINALITY AS t (n, nth) ORDER BY nth) TO STDOUT`,
          (row) => rows.push(row.toString("utf8")),
        );
        expect(rows.map((row) => row.length)).toEqual(lengths.map((length) => length + 1));
        expect(rows.every((row) => /^é*\n$/.test(row))).toBe(true);
      });
    },
  );

  databaseTest("hands over nothing when there is no row", async ({ database }) => {
    await withPool(database.url, 10_000, async (pool) => {
      const rows: Buffer[] = [];
      await copy(pool, "COPY (SELECT 1 WHERE false) TO STDOUT", (row) => rows.push(row));
      expect(rows).toEqual([]);
    });
  });

  databaseTest("leaves the connection fit for the next query", async ({ database }) => {
    await withPool(database.url, 10_000, async (pool) => {
      const pid = await backendPid(pool);
      for (let i = 0; i < 3; i++)
        await copy(pool, "COPY (SELECT generate_series(1, 1000)) TO STDOUT", () => {});
      expect(await backendPid(pool)).toBe(pid);
    });
  });

  databaseTest(
    "rejects with what onRow throws, calls it no more, and the pool gets a new connection",
    async ({ database }) => {
      await withPool(database.url, 10_000, async (pool) => {
        const pid = await backendPid(pool);
        const full = new Error("full");
        let rows = 0;
        const copying = copy(pool, "COPY (SELECT generate_series(1, 100000)) TO STDOUT", () => {
          if (++rows === 10) throw full;
        });
        await expect(copying).rejects.toBe(full);
        expect(await backendPid(pool)).not.toBe(pid);
        expect(rows).toBe(10);
      });
    },
  );

  databaseTest(
    "rejects with the server's error, before the first row or after it",
    async ({ database }) => {
      await withPool(database.url, 10_000, async (pool) => {
        await expect(copy(pool, "COPY nowhere TO STDOUT", () => {})).rejects.toMatchObject({
          code: "42P01",
        });
        let rows = 0;
        const halfWay = copy(
          pool,
          "COPY (SELECT 1 / (5000 - n) FROM generate_series(1, 10000) AS n) TO STDOUT",
          () => void rows++,
        );
        await expect(halfWay).rejects.toMatchObject({ code: "22012" });
        expect(rows).toBe(4_999);
        await copy(pool, "COPY (SELECT 1) TO STDOUT", () => {});
      });
    },
  );

  // P6
  databaseTest("is stopped by the server when it takes too long", async ({ database }) => {
    await withPool(database.url, 50, async (pool) => {
      await expect(
        copy(pool, "COPY (SELECT pg_sleep(5)) TO STDOUT", () => {}),
      ).rejects.toMatchObject({ code: "57014" });
    });
  });

  // P4
  databaseTest(
    "is given up when the backend freezes half-way, and the pool gets a new connection",
    async ({ database }) => {
      // Enough for the first row to come before the statement's own time is up.
      await withPool(database.url, 500, async (pool) => {
        const pid = await backendPid(pool);
        let rows = 0;
        try {
          const copying = copy(
            pool,
            "COPY (SELECT repeat('x', 1000) FROM generate_series(1, 100000)) TO STDOUT",
            () => {
              if (++rows === 1) process.kill(pid, "SIGSTOP");
            },
          );
          const error: unknown = await copying.catch((reason: unknown) => reason);
          expect(error).toMatchObject({ message: "Query read timeout" });
          expect(isDatabaseAway(error)).toBe(true);
          expect(await backendPid(pool)).not.toBe(pid);
        } finally {
          process.kill(pid, "SIGCONT");
        }
        expect(rows).toBeLessThan(100_000);
      });
    },
  );

  // P3
  databaseTest("rejects when the backend is terminated half-way", async ({ database }) => {
    await withPool(database.url, 10_000, async (pool) => {
      const copying = copy(
        pool,
        "COPY (SELECT pg_terminate_backend(pg_backend_pid())) TO STDOUT",
        () => {},
      );
      const error: unknown = await copying.catch((reason: unknown) => reason);
      expect(isDatabaseAway(error)).toBe(true);
      await copy(pool, "COPY (SELECT 1) TO STDOUT", () => {});
    });
  });
});
