import { setTimeout as delay } from "node:timers/promises";
import { addCustomer, playSession, say, start } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { makeLogPartitions } from "./log-days.ts";
import { selectTurns } from "./store.ts";

async function partitions(database: TestDatabase, log: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1",
    [log],
  );
  return rows.map(({ name }) => name);
}

const turnsBy = async (database: TestDatabase): Promise<unknown[]> =>
  (
    await database.pool.query(
      "SELECT tableoid::regclass::text AS partition, count(*)::integer FROM turns GROUP BY 1 ORDER BY 1",
    )
  ).rows;

describe("log partitions", () => {
  databaseTest("are made for today and the days ahead, in UTC, once", async ({ database }) => {
    const { rows } = await database.pool.query<{ day: string }>(
      "SELECT to_char((now() AT TIME ZONE 'UTC')::date + n, 'YYYYMMDD') AS day FROM generate_series(0, 2) AS n",
    );
    await makeLogPartitions(database.db, 2);
    await makeLogPartitions(database.db, 2);
    for (const log of ["turns", "session_events"]) {
      const days = rows.map(({ day }) => `${log}_${day}`);
      expect(await partitions(database, log)).toEqual([...days, `${log}_default`].toSorted());
    }
  });

  databaseTest(
    "are made while conversations write, and nothing is refused",
    async ({ database }) => {
      const { db } = database;
      const customer = await addCustomer(db);
      const writes = async (): Promise<void> => {
        const session = await start(db, customer);
        for (let turn = 0; turn < 20; turn += 1)
          await say(db, session, [{ role: "user", content: `Turn ${turn}.` }]);
      };
      const writers = Array.from({ length: 8 }, writes);
      await delay(50);
      await Promise.all([...writers, makeLogPartitions(db, 1)]);
      expect(await turnsBy(database)).toEqual([
        { partition: expect.stringMatching(/^turns_\d{8}$/), count: expect.any(Number) },
      ]);
    },
  );

  databaseTest("may be asked for by several processes at once", async ({ database }) => {
    await Promise.all(Array.from({ length: 5 }, () => makeLogPartitions(database.db, 1)));
    expect(await partitions(database, "turns")).toHaveLength(3);
  });

  databaseTest("take over the rows that came before their day was made", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const session = await start(database.db, customer);
    await say(database.db, session, [{ role: "user", content: "early" }]);
    await database.pool.query(
      "INSERT INTO session_events (session_at, session_id, at, kind) VALUES ($1, $2, now(), 'early')",
      [session.createdAt, session.id],
    );
    expect(await turnsBy(database)).toEqual([{ partition: "turns_default", count: 1 }]);

    await makeLogPartitions(database.db, 0);
    await say(database.db, await start(database.db, customer), [
      { role: "user", content: "in time" },
    ]);
    expect(await turnsBy(database)).toEqual([
      { partition: expect.stringMatching(/^turns_\d{8}$/), count: 2 },
    ]);
    expect((await database.pool.query("SELECT 1 FROM session_events_default")).rowCount).toBe(0);
    expect(await selectTurns(database.db, session.id)).toMatchObject([{ content: "early" }]);
  });

  databaseTest("keep turns in order and unique across the move", async ({ database }) => {
    const session = await start(database.db, await addCustomer(database.db));
    await say(database.db, session, [{ role: "assistant", content: "one" }]);
    await makeLogPartitions(database.db, 0);
    await say(database.db, session, [
      { role: "assistant", content: "one again" },
      { role: "user", content: "two" },
    ]);
    expect((await selectTurns(database.db, session.id)).map(({ content }) => content)).toEqual([
      "one",
      "two",
    ]);
  });

  databaseTest(
    "may be dropped when their day is over: the export keeps the transcript",
    async ({ database }) => {
      await makeLogPartitions(database.db, 0);
      const session = await playSession(database.db, await addCustomer(database.db));
      for (const name of (await partitions(database, "turns")).filter(
        (one) => one !== "turns_default",
      )) {
        await database.pool.query(`DROP TABLE ${name}`);
      }
      const { rows } = await database.pool.query<{ transcript: string }>(
        "SELECT transcript FROM session_exports WHERE id = $1",
        [session.id],
      );
      expect(JSON.parse(rows[0]!.transcript)).toHaveLength(2);
    },
  );
});
