import { transact } from "#platform";
import { addCustomer, jobSenderOf, start } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { startSession } from "./session.ts";

describe("start stamps", () => {
  databaseTest("are never on a whole second: the database refuses it", async ({ database }) => {
    const session = await start(database.db, await addCustomer(database.db));
    const update = database.pool.query(
      "UPDATE sessions SET created_at = date_trunc('second', created_at) WHERE id = $1",
      [session.id],
    );
    await expect(update).rejects.toMatchObject({ code: "23514" });
  });

  databaseTest(
    "of one account are strictly increasing and each its own, however many start at once",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      await Promise.all(Array.from({ length: 30 }, () => start(database.db, customer)));
      const { rows } = await database.pool.query<{ at: Date }>(
        "SELECT created_at AS at FROM sessions ORDER BY created_at",
      );
      const stamps = rows.map(({ at }) => at.getTime());
      expect(new Set(stamps).size).toBe(30);
      expect(stamps.every((ms) => ms % 1_000 !== 0)).toBe(true);
    },
  );

  databaseTest(
    "are in the order of the commits: a start waits for the one before it in its account",
    async ({ database }) => {
      const [a, b] = [await addCustomer(database.db), await addCustomer(database.db)];
      const committed: string[] = [];
      const held = Promise.withResolvers<void>();
      const stamped = Promise.withResolvers<void>();
      const first = transact(database.db, async (trx) => {
        const given = { accountId: a.account.id, agent: a.agent, test: false, metadata: {} };
        const session = await startSession(trx, jobSenderOf(database.db), given);
        stamped.resolve();
        await held.promise;
        return session;
      }).finally(() => committed.push("first"));
      await stamped.promise;
      const second = start(database.db, a).finally(() => committed.push("second"));
      await start(database.db, b).finally(() => committed.push("another account's"));
      held.resolve();
      const [one, two] = await Promise.all([first, second]);
      expect(committed).toEqual(["another account's", "first", "second"]);
      expect(two.createdAt.getTime()).toBeGreaterThan(one.createdAt.getTime());
    },
  );

  // O2
  databaseTest("never go back when the machine's clock does", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    const aheadMs = 3_600_000;
    await pool.query("UPDATE account_clocks SET last_at = clock_timestamp() + interval '1 hour'");
    const stamps = [];
    for (let count = 0; count < 3; count++) {
      stamps.push((await start(db, customer)).createdAt.getTime());
    }
    expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
    expect(stamps[0]).toBeGreaterThan(Date.now() + aheadMs - 60_000);
    // What is waited for goes by the clock, not by the stamps.
    const { rows } = await pool.query<{ secs: number }>(
      "SELECT extract(epoch FROM max(connect_by) - clock_timestamp())::float AS secs FROM sessions",
    );
    expect(rows[0]!.secs).toBeLessThan(aheadMs / 2_000);
  });
});
