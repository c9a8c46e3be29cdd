import { changeSettings } from "#accounts";
import { addAgent } from "#agents";
import { transact } from "#platform";
import { addCustomer, announceLive, end, plainConfig } from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { outcomeOf, visit, visitsOver } from "./visit-under-test.ts";

type Limits = NonNullable<Parameters<typeof changeSettings>[3]["limits"]>;

async function open({ db }: TestDatabase, limits: Limits): Promise<Customer> {
  await announceLive(db);
  const customer = await addCustomer(db);
  await transact(db, (trx) => changeSettings(trx, "ada", customer.account.id, { limits }));
  return customer;
}

/** Starts sessions at the same time through two instances, as two processes would. */
async function rush(
  { db }: TestDatabase,
  customer: Customer,
  addresses: string[],
): Promise<Record<string, number>> {
  const desks = [visitsOver(db), visitsOver(db)] as const;
  const outcomes = await Promise.all(
    addresses.map((address, n) => desks[n % 2 === 0 ? 0 : 1].start(visit(customer, { address }))),
  );
  const counts: Record<string, number> = {};
  for (const one of outcomes.map(outcomeOf)) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}

const many = (count: number, address = (n: number) => `198.51.100.${n}`): string[] =>
  Array.from({ length: count }, (_, n) => address(n));

// A7
describe("limits are exact however many come at once", () => {
  databaseTest("at once with an agent", async ({ database }) => {
    const customer = await open(database, { at_once_per_agent: 7 });
    expect(await rush(database, customer, many(30))).toEqual({ started: 7, at_capacity: 23 });
  });

  databaseTest("at once from an address, and others are not held up", async ({ database }) => {
    const customer = await open(database, {});
    const addresses = [...many(20, () => "203.0.113.7"), ...many(5)];
    expect(await rush(database, customer, addresses)).toEqual({ started: 10, too_many_starts: 15 });
  });

  databaseTest("in a minute from an address, ended sessions included", async ({ database }) => {
    const customer = await open(database, {
      starts_per_minute_per_address: 4,
      at_once_per_address: "none",
    });
    const one = (count: number) => many(count, () => "203.0.113.7");
    expect(await rush(database, customer, one(10))).toEqual({ started: 4, too_many_starts: 6 });
    await database.pool.query("UPDATE visits SET started_at = started_at - interval '50 seconds'");
    expect(await rush(database, customer, one(3))).toEqual({ too_many_starts: 3 });
    await database.pool.query("UPDATE visits SET started_at = started_at - interval '10 seconds'");
    expect(await rush(database, customer, one(10))).toEqual({ started: 4, too_many_starts: 6 });
  });

  databaseTest("in a day, and the next one is new", async ({ database }) => {
    const customer = await open(database, { daily_starts_per_agent: 6, at_once_per_agent: "none" });
    expect(await rush(database, customer, many(20))).toEqual({ started: 6, daily_cap: 14 });
    await database.pool.query("UPDATE agent_days SET day = day - 1");
    expect(await rush(database, customer, many(2))).toEqual({ started: 2 });
  });

  databaseTest("of a day's money", async ({ database }) => {
    const customer = await open(database, { daily_cost_micros_per_agent: 1_000_000 });
    expect(await rush(database, customer, many(1))).toEqual({ started: 1 });
    await database.pool.query("UPDATE agent_days SET cost_micros = 999999");
    expect(await rush(database, customer, many(1))).toEqual({ started: 1 });
    await database.pool.query("UPDATE agent_days SET cost_micros = 1000000");
    expect(await rush(database, customer, many(1))).toEqual({ daily_cap: 1 });
  });
});

describe("what counts against limits", () => {
  databaseTest(
    "of an address is the whole account, of an agent only its own",
    async ({ database }) => {
      const { db } = database;
      const customer = await open(database, { at_once_per_address: 2, at_once_per_agent: 2 });
      const agent = await transact(db, (trx) =>
        addAgent(trx, "ada", "aa", customer.account.id, "second", plainConfig("Second")),
      );
      const second = { ...customer, agent };
      expect(await rush(database, customer, ["203.0.113.7"])).toEqual({ started: 1 });
      expect(await rush(database, second, ["203.0.113.7"])).toEqual({ started: 1 });
      expect(await rush(database, second, ["203.0.113.7"])).toEqual({ too_many_starts: 1 });
      expect(await rush(database, second, ["203.0.113.8"])).toEqual({ started: 1 });
      expect(await rush(database, second, ["203.0.113.9"])).toEqual({ at_capacity: 1 });
      expect(await rush(database, customer, ["203.0.113.9"])).toEqual({ started: 1 });
      const stranger = await addCustomer(db);
      expect(await rush(database, stranger, ["203.0.113.7"])).toEqual({ started: 1 });
    },
  );

  databaseTest("at once is who talks: an ended session makes room", async ({ database }) => {
    const customer = await open(database, { at_once_per_agent: 1 });
    const desk = visitsOver(database.db);
    const first = await desk.start(visit(customer));
    expect(outcomeOf(await desk.start(visit(customer)))).toBe("at_capacity");
    if ("sessionId" in first)
      await end(database.db, { id: first.sessionId, createdAt: new Date() });
    expect(outcomeOf(await desk.start(visit(customer)))).toBe("started");
  });

  databaseTest("is nothing that was refused", async ({ database }) => {
    const customer = await open(database, { at_once_per_agent: 1 });
    await rush(database, customer, many(10));
    const { rows } = await database.pool.query(
      "SELECT (SELECT count(*)::integer FROM visits) AS visits, (SELECT sum(starts)::integer FROM agent_days) AS starts",
    );
    expect(rows).toEqual([{ visits: 1, starts: 1 }]);
  });
});

describe("test sessions", () => {
  const TESTS = { origin: "https://staging.example.com" };

  async function openWithTests(database: TestDatabase, limits: Limits): Promise<Customer> {
    await announceLive(database.db);
    const agent = { testOrigins: [TESTS.origin] };
    const customer = await addCustomer(database.db, { agent });
    await transact(database.db, (trx) =>
      changeSettings(trx, "ada", customer.account.id, { limits }),
    );
    return customer;
  }

  databaseTest("have limits of their own, for all addresses together", async ({ database }) => {
    const { db } = database;
    const customer = await openWithTests(database, { test_at_once_per_agent: 3 });
    const limit = (limits: Limits) =>
      transact(db, (trx) => changeSettings(trx, "ada", customer.account.id, { limits }));
    const start = (address: string) => visitsOver(db).start(visit(customer, { ...TESTS, address }));
    const outcomes = await Promise.all(many(10).map(start));
    expect(outcomes.filter((one) => outcomeOf(one) === "started")).toHaveLength(3);
    expect(outcomeOf(await start("203.0.113.9"))).toBe("at_capacity");
    await limit({ test_at_once_per_agent: "none", test_starts_per_minute_per_agent: 4 });
    expect(outcomeOf(await start("203.0.113.9"))).toBe("started");
    expect(outcomeOf(await start("203.0.113.9"))).toBe("too_many_starts");
    await limit({ test_starts_per_minute_per_agent: "none", test_daily_starts_per_agent: 5 });
    expect(outcomeOf(await start("203.0.113.9"))).toBe("started");
    expect(outcomeOf(await start("203.0.113.9"))).toBe("daily_cap");
  });

  databaseTest(
    "take no place of a customer's, and customers none of theirs",
    async ({ database }) => {
      const customer = await openWithTests(database, {
        at_once_per_agent: 1,
        at_once_per_address: 1,
        starts_per_minute_per_address: 1,
        daily_starts_per_agent: 1,
        test_at_once_per_agent: 2,
      });
      const desk = visitsOver(database.db);
      const test = visit(customer, TESTS);
      expect(outcomeOf(await desk.start(test))).toBe("started");
      expect(await desk.refusal(visit(customer))).toBeNull();
      expect(outcomeOf(await desk.start(visit(customer)))).toBe("started");
      expect(await desk.refusal(visit(customer))).toBe("at_capacity");
      expect(outcomeOf(await desk.start(visit(customer, TESTS)))).toBe("started");
      expect(await desk.refusal(visit(customer, TESTS))).toBe("at_capacity");
    },
  );
});
