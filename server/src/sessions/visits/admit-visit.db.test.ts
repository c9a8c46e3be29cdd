import { randomUUID } from "node:crypto";
import { changeSettings } from "#accounts";
import { addAgent } from "#agents";
import { transact } from "#platform";
import { addCustomer, announceLive, end, NO_START_LIMITS, plainConfig } from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { claimSession } from "../live/live-claim.ts";
import type { VisitOutcome } from "./admit-visit.ts";
import { outcomeOf, visit, visitsOver } from "./visit-under-test.ts";
import { agentsNearDayCap } from "./visits.ts";

type Limits = NonNullable<Parameters<typeof changeSettings>[3]["limits"]>;

/** A customer with these limits and no others. */
async function open({ db }: TestDatabase, only: Limits): Promise<Customer> {
  await announceLive(db);
  const customer = await addCustomer(db);
  const limits = { ...NO_START_LIMITS, ...only };
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

/** Opens the socket of what was started, as the visitor's browser does. */
async function connect({ db }: TestDatabase, outcome: VisitOutcome): Promise<string> {
  if (!("sessionId" in outcome)) return outcomeOf(outcome);
  const { sessionId, ticket } = outcome;
  const claim = { sessionId, processId: PROCESS, credential: { ticket } };
  const claimed = await claimSession(db, claim);
  return typeof claimed === "string" ? claimed : "connected";
}

const PROCESS = randomUUID();

const many = (count: number, address = (n: number) => `198.51.100.${n}`): string[] =>
  Array.from({ length: count }, (_, n) => address(n));

// A7
describe("limits are exact however many come at once", () => {
  databaseTest("at once with an agent, of those who connect", async ({ database }) => {
    const customer = await open(database, { at_once_per_agent: 4 });
    const desk = visitsOver(database.db);
    const starts = await Promise.all(
      many(9).map((address) => desk.start(visit(customer, { address }))),
    );
    const outcomes = await Promise.all(starts.map((one) => connect(database, one)));
    expect(outcomes.filter((one) => one === "connected")).toHaveLength(4);
    expect(outcomes.filter((one) => one === "full")).toHaveLength(5);
    expect(await rush(database, customer, many(1))).toEqual({ at_capacity: 1 });
    const { rows } = await database.pool.query("SELECT starts FROM agent_days");
    expect(rows).toEqual([{ starts: 4 }]);
    // Who is let in comes back to the place that they have.
    const first = starts[outcomes.indexOf("connected")]!;
    expect(await connect(database, first)).toBe("connected");
  });

  databaseTest("in a day, with one warning before", async ({ database }) => {
    const customer = await open(database, { daily_starts_per_agent: 5 });
    const desk = visitsOver(database.db);
    const warnings: unknown[] = [];
    for (let n = 0; n < 5; n++) {
      const outcome = await desk.start(visit(customer));
      if (!("sessionId" in outcome)) throw new Error("not started");
      const { sessionId, ticket } = outcome;
      const claim = { sessionId, processId: PROCESS, credential: { ticket } };
      for (const claimed of [
        await claimSession(database.db, claim),
        await claimSession(database.db, claim),
      ])
        if (typeof claimed !== "string" && claimed.nearCap) warnings.push([n, claimed.nearCap]);
      expect(await agentsNearDayCap(database.db)).toHaveLength(n < 3 ? 0 : 1);
    }
    expect(warnings).toEqual([[3, { starts: 4, cap: 5 }]]);
    expect(outcomeOf(await desk.start(visit(customer)))).toBe("daily_cap");
  });

  databaseTest("unconnected from each network of an address", async ({ database }) => {
    const customer = await open(database, { unconnected_per_network: 4 });
    const from56 = many(9, (n) => `2001:db8:1:${n.toString(16)}::/64`);
    const from48 = many(9, (n) => `2001:db8:2:${(n << 8).toString(16)}::/64`);
    for (const addresses of [many(9), from56, from48])
      expect(await rush(database, customer, addresses)).toEqual({ started: 4, too_many_starts: 5 });
    const from32 = many(9, (n) => `2001:db8:${n + 16}:0::/64`);
    expect(await rush(database, customer, from32)).toEqual({ started: 9 });
    expect(
      await rush(
        database,
        customer,
        many(9, () => "unknown"),
      ),
    ).toEqual({ started: 9 });
  });

  databaseTest("in ten minutes from each network, each its own", async ({ database }) => {
    const customer = await open(database, {
      starts_per_ten_minutes_per_ipv6_56: 3,
      starts_per_ten_minutes_per_ipv6_48: 5,
      starts_per_ten_minutes_per_ipv4_24: 4,
    });
    expect(await rush(database, customer, many(9))).toEqual({ started: 4, too_many_starts: 5 });
    const in56 = many(9, (n) => `2001:db8:1:${n.toString(16)}::/64`);
    expect(await rush(database, customer, in56)).toEqual({ started: 3, too_many_starts: 6 });
    const in48 = many(9, (n) => `2001:db8:1:${((n + 1) << 8).toString(16)}::/64`);
    expect(await rush(database, customer, in48)).toEqual({ started: 2, too_many_starts: 7 });
    await database.pool.query("UPDATE visits SET started_at = started_at - interval '9 minutes'");
    expect(await rush(database, customer, in48)).toEqual({ too_many_starts: 9 });
    await database.pool.query("UPDATE visits SET started_at = started_at - interval '1 minute'");
    expect(await rush(database, customer, in48)).toEqual({ started: 5, too_many_starts: 4 });
  });

  databaseTest("at once from an address, and others are not held up", async ({ database }) => {
    const customer = await open(database, { at_once_per_address: 5 });
    const addresses = [...many(20, () => "203.0.113.7"), ...many(5)];
    expect(await rush(database, customer, addresses)).toEqual({ started: 10, too_many_starts: 15 });
  });

  databaseTest("in a minute from an address, ended sessions included", async ({ database }) => {
    const customer = await open(database, { starts_per_minute_per_address: 4 });
    const one = (count: number) => many(count, () => "203.0.113.7");
    expect(await rush(database, customer, one(10))).toEqual({ started: 4, too_many_starts: 6 });
    await database.pool.query("UPDATE visits SET started_at = started_at - interval '50 seconds'");
    expect(await rush(database, customer, one(3))).toEqual({ too_many_starts: 3 });
    await database.pool.query("UPDATE visits SET started_at = started_at - interval '10 seconds'");
    expect(await rush(database, customer, one(10))).toEqual({ started: 4, too_many_starts: 6 });
  });

  databaseTest("in a day, and the next one is new", async ({ database }) => {
    const customer = await open(database, { daily_starts_per_agent: 6 });
    expect(await rush(database, customer, many(20))).toEqual({ started: 6, daily_cap: 14 });
    await database.pool.query("UPDATE sessions SET connected_at = now()");
    await database.pool.query("INSERT INTO agent_days SELECT id, now(), 6 FROM agents");
    expect(await rush(database, customer, many(1))).toEqual({ daily_cap: 1 });
    await database.pool.query("UPDATE agent_days SET day = day - 1");
    expect(await rush(database, customer, many(2))).toEqual({ started: 2 });
  });

  databaseTest("of a day's money", async ({ database }) => {
    const customer = await open(database, { daily_cost_micros_per_agent: 1_000_000 });
    await database.pool.query("INSERT INTO agent_days SELECT id, now(), 0, 999999 FROM agents");
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
      await database.pool.query("UPDATE sessions SET connected_at = now()");
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
    expect(await connect(database, first)).toBe("connected");
    expect(outcomeOf(await desk.start(visit(customer)))).toBe("at_capacity");
    if ("sessionId" in first)
      await end(database.db, { id: first.sessionId, createdAt: new Date() });
    expect(outcomeOf(await desk.start(visit(customer)))).toBe("started");
  });

  databaseTest("who finds no place can leave an address", async ({ database }) => {
    const customer = await open(database, {
      at_once_per_agent: 1,
      starts_per_minute_per_address: 3,
    });
    const desk = visitsOver(database.db);
    expect(await connect(database, await desk.start(visit(customer)))).toBe("connected");
    const left = visit(customer, { metadata: { email: "ada@example.com" }, withoutCall: true });
    const outcome = await desk.start(left);
    expect(outcomeOf(outcome)).toBe("started");
    expect(await connect(database, outcome)).not.toBe("connected");
    const { rows } = await database.pool.query(
      "SELECT email, status FROM sessions WHERE settled_at IS NOT NULL",
    );
    expect(rows).toEqual([{ email: "ada@example.com", status: "abandoned" }]);
    expect(outcomeOf(await desk.start(visit(customer)))).toBe("at_capacity");
    const again = () => desk.start({ ...left, idempotencyKey: randomUUID() });
    expect(outcomeOf(await again())).toBe("started");
    expect(outcomeOf(await again())).toBe("too_many_starts");
  });

  databaseTest("is nothing that was refused", async ({ database }) => {
    const customer = await open(database, { unconnected_per_network: 1 });
    await rush(database, customer, many(10));
    const { rows } = await database.pool.query("SELECT count(*)::integer AS visits FROM visits");
    expect(rows).toEqual([{ visits: 1 }]);
  });

  databaseTest("is who connects: scripts that only start close no agent", async ({ database }) => {
    const customer = await open(database, { at_once_per_agent: 2, unconnected_per_agent: 3 });
    const desk = visitsOver(database.db);
    const patient = await desk.start(visit(customer, { address: "203.0.113.1" }));
    expect(await connect(database, patient)).toBe("connected");
    const pushedOut = await desk.start(visit(customer, { address: "203.0.113.2" }));
    expect(await rush(database, customer, many(8))).toEqual({ started: 8 });
    expect(await connect(database, pushedOut)).toBe("refused");
    const visitor = await desk.start(visit(customer, { address: "203.0.113.3" }));
    expect(await rush(database, customer, many(2))).toEqual({ started: 2 });
    expect(await connect(database, visitor)).toBe("connected");
    const { rows } = await database.pool.query(
      `SELECT count(*) FILTER (WHERE connected_at IS NOT NULL)::integer AS connected,
         count(*) FILTER (WHERE connected_at IS NULL)::integer AS unconnected
       FROM sessions WHERE ended_at IS NULL`,
    );
    expect(rows).toEqual([{ connected: 2, unconnected: 2 }]);
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
      expect(await connect(database, await desk.start(visit(customer)))).toBe("connected");
      expect(await desk.refusal(visit(customer))).toBe("at_capacity");
      expect(outcomeOf(await desk.start(visit(customer, TESTS)))).toBe("started");
      expect(await desk.refusal(visit(customer, TESTS))).toBe("at_capacity");
    },
  );
});
