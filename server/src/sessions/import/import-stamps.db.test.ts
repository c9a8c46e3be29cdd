import { setTimeout as delay } from "node:timers/promises";
import { transact } from "#platform";
import { addCustomer, jobSenderOf, start } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { startSession } from "../record/session.ts";
import { AT_MS, burst, importLines, offsets, oldSession } from "./import-under-test.ts";

async function rows<T>({ pool }: TestDatabase, text: string): Promise<T[]> {
  return (await pool.query(text)).rows as T[];
}

describe("stamps of an import", () => {
  databaseTest("make room for what is there, live or imported", async ({ database }) => {
    const customer = await addCustomer(database.db);
    await importLines(database, customer, burst(customer, 60, AT_MS + 300));
    const more = burst(customer, 60, AT_MS + 200);
    await importLines(database, customer, more);
    const placed = await offsets(database, more);
    expect(placed.slice(0, 39)).toEqual(Array.from({ length: 39 }, () => 200));
    expect(placed.slice(39)).toEqual(Array.from({ length: 21 }, (_, index) => 1_001 + index));
  });

  databaseTest("move the account's clock forward, never back", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const clock = async (): Promise<{ last_at: Date; in_second: number }> =>
      (
        await rows<{ last_at: Date; in_second: number }>(database, "SELECT * FROM account_clocks")
      )[0]!;
    const first = await clock();
    await importLines(database, customer, burst(customer, 5, AT_MS + 1));
    expect(await clock()).toEqual(first);

    await database.pool.query("UPDATE account_clocks SET last_at = $1, in_second = 90", [
      new Date(AT_MS + 500),
    ]);
    await importLines(database, customer, burst(customer, 4, AT_MS + 400));
    expect(await clock()).toMatchObject({ last_at: new Date(AT_MS + 500), in_second: 94 });
    await importLines(database, customer, burst(customer, 3, AT_MS + 700));
    expect(await clock()).toMatchObject({ last_at: new Date(AT_MS + 700), in_second: 97 });
    await importLines(database, customer, burst(customer, 5, AT_MS + 700));
    expect(await clock()).toMatchObject({ last_at: new Date(AT_MS + 1_003), in_second: 3 });
    const next = await start(database.db, customer);
    expect(next.createdAt.getTime()).toBeGreaterThan(AT_MS + 1_003);
  });

  databaseTest("hold beside starts and a second import at the same time", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const now = await rows<{ now: Date }>(database, "SELECT clock_timestamp() AS now");
    // The last seconds, where starts get their stamps too.
    const recent = burst(customer, 1_000, now[0]!.now.getTime() - 12_000, 11);
    const starting = async (): Promise<void> => {
      for (let i = 0; i < 60; i++) await start(database.db, customer);
    };
    const [one, other] = await Promise.all([
      importLines(database, customer, recent),
      importLines(database, customer, recent),
      starting(),
      starting(),
      starting(),
    ]);
    expect([one.imported + other.imported, one.refused + other.refused]).toEqual([1_000, 0]);
    const [worst] = await rows<{ count: number; whole: number }>(
      database,
      `SELECT max(n)::integer AS count, sum(whole)::integer AS whole FROM (
         SELECT count(*) AS n, count(*) FILTER (WHERE created_at = date_trunc('second', created_at)) AS whole
         FROM sessions GROUP BY date_trunc('second', created_at)) AS seconds`,
    );
    expect(worst!.whole).toBe(0);
    expect(worst!.count).toBeLessThanOrEqual(99);
    const [clock] = await rows(
      database,
      "SELECT last_at = (SELECT max(created_at) FROM sessions) AS newest FROM account_clocks",
    );
    expect(clock).toEqual({ newest: true });
  });

  databaseTest(
    "are never in the future, or starts would follow them there",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const nowMs = Date.now();
      const ahead = await importLines(database, customer, [oldSession(customer, nowMs + 60_000)]);
      expect(ahead).toMatchObject({
        imported: 0,
        problems: [{ line: 1, field: "created_at", problem: "is in the future" }],
      });
      const tooMany = importLines(database, customer, burst(customer, 1_000, nowMs - 1_000));
      await expect(tooMany).rejects.toMatchObject({
        code: "conflict",
        fix: expect.stringMatching(/again in \d s/),
      });
      const [future] = await rows<{ count: number }>(
        database,
        "SELECT count(*)::integer FROM sessions WHERE created_at > clock_timestamp()",
      );
      expect(future).toEqual({ count: 0 });
    },
  );
});

databaseTest(
  "what holds the account's clock makes an import wait, not fail",
  async ({ database }) => {
    const customer = await addCustomer(database.db);
    const started = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const holding = transact(database.db, async (trx) => {
      const { account, agent } = customer;
      const given = { accountId: account.id, agent, test: false, metadata: {} };
      await startSession(trx, jobSenderOf(database.db), given);
      started.resolve();
      await released.promise;
    });
    await started.promise;
    const importing = importLines(database, customer, burst(customer, 3, AT_MS + 5));
    const early = await Promise.race([importing, delay(200, "waits")]);
    released.resolve();
    await holding;
    expect(early).toBe("waits");
    expect((await importing).imported).toBe(3);
  },
);
