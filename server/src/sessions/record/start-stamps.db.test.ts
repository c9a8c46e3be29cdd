import { transact } from "#platform";
import { addCustomer, allotStamp, jobSenderOf, start } from "#testing";
import type { StampClock } from "#testing";
import { databaseTest } from "#testing/database-test";
import fc from "fast-check";
import type pg from "pg";
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
    // Deadlines follow the clock, not the stamps.
    const { rows } = await pool.query<{ secs: number }>(
      "SELECT extract(epoch FROM max(connect_by) - clock_timestamp())::float AS secs FROM sessions",
    );
    expect(rows[0]!.secs).toBeLessThan(aheadMs / 2_000);
  });

  // O2
  databaseTest(
    "are no later than they may be when the database's clock is ahead, and go on from there",
    async ({ database }) => {
      const { db, pool } = database;
      const customer = await addCustomer(db);
      // As a clock that is a year ahead would look: everything trusted is a year ago.
      await pool.query("UPDATE account_clocks SET last_at = last_at - interval '400 days'");
      const latestMs = Date.now() - 365 * 86_400_000;
      const stamps: number[] = [];
      for (const latest of [latestMs, latestMs, undefined]) {
        const { createdAt } = await transact(db, (trx) =>
          startSession(trx, jobSenderOf(db), {
            accountId: customer.account.id,
            agent: customer.agent,
            test: false,
            metadata: {},
            latestMs: latest,
          }),
        );
        stamps.push(createdAt.getTime());
      }
      expect(Math.abs(stamps[0]! - latestMs)).toBeLessThanOrEqual(1);
      expect(stamps[1]! - stamps[0]!).toBeLessThanOrEqual(2);
      expect(stamps[1]).toBeGreaterThan(stamps[0]!);
      // The control: without the bound, the start is where that clock is.
      expect(stamps[2]! - latestMs).toBeGreaterThan(364 * 86_400_000);
    },
  );
});

/** 2026-11-15T10:00:00Z: every offset below counts from a whole second. */
const BASE_MS = 1_794_736_800_000;

interface Call {
  clock: StampClock;
  /** With microseconds as decimals, as in PostgreSQL's clock. */
  nowMs: number;
}

/** Prefers both ends of a second and nearly full seconds, where the rules take effect. */
const inSecondMs = fc.oneof(fc.constantFrom(1, 2, 500, 998, 999), fc.integer({ min: 1, max: 999 }));
const call: fc.Arbitrary<Call> = fc
  .record({
    lastMs: fc
      .tuple(fc.integer({ min: 0, max: 3 }), inSecondMs)
      .map(([secs, ms]) => BASE_MS + secs * 1_000 + ms),
    inSecond: fc.oneof(fc.constantFrom(1, 97, 98, 99), fc.integer({ min: 1, max: 99 })),
    sinceLastUs: fc.oneof(
      fc.integer({ min: -3_000, max: 3_000 }),
      fc.integer({ min: -4_000_000, max: 4_000_000 }),
      fc.constantFrom(-86_400_000_000, 86_400_000_000),
    ),
    onWholeSecond: fc.boolean(),
  })
  .map(({ lastMs, inSecond, sinceLastUs, onWholeSecond }) => {
    const nowMs = lastMs + sinceLastUs / 1_000;
    return {
      clock: { lastMs, inSecond },
      nowMs: onWholeSecond ? Math.round(nowMs / 1_000) * 1_000 : nowMs,
    };
  });

databaseTest("next_stamp allots what the model allots", async ({ database }) => {
  const calls = fc.sample(call, { numRuns: 20_000, seed: 7 });
  const allotted = await nextStamps(database.pool, calls);
  expect(allotted).toEqual(calls.map(({ clock, nowMs }) => allotStamp(clock, nowMs)));
});

databaseTest("500 starts at one moment take six seconds, each at most 99", async ({ database }) => {
  const nowMs = BASE_MS + 990;
  let clock: StampClock = { lastMs: BASE_MS - 5_000, inSecond: 1 };
  const perSecond = new Map<number, number>();
  for (let started = 0; started < 500; started++) {
    const [next] = await nextStamps(database.pool, [{ clock, nowMs }]);
    expect(next).toEqual(allotStamp(clock, nowMs));
    clock = next!;
    const second = Math.floor(clock.lastMs / 1_000) - BASE_MS / 1_000;
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  // The first second has only ten milliseconds left.
  expect([...perSecond.values()]).toEqual([10, 99, 99, 99, 99, 94]);
});

databaseTest("the first stamp of an account is now, off the whole second", async ({ database }) => {
  const nows = [BASE_MS, BASE_MS + 0.9, BASE_MS + 1, BASE_MS + 999.999];
  const { rows } = await database.pool.query<{ us: string; count: number }>(
    `SELECT ${microseconds("stamp.at")} AS us, stamp.count
     FROM unnest($1::float8[]) WITH ORDINALITY AS given (now_us, nth),
       next_stamp('-infinity', 0, ${timestamp("now_us")}) AS stamp
     ORDER BY nth`,
    [nows.map((ms) => Math.round(ms * 1_000))],
  );
  expect(rows.map((row) => Number(row.us) / 1_000 - BASE_MS)).toEqual([1, 1, 1, 999]);
  expect(rows.map((row) => row.count)).toEqual([1, 1, 1, 1]);
});

async function nextStamps(pool: pg.Pool, calls: Call[]): Promise<StampClock[]> {
  const { rows } = await pool.query<{ us: string; count: number }>(
    `SELECT ${microseconds("stamp.at")} AS us, stamp.count
     FROM unnest($1::float8[], $2::integer[], $3::float8[]) WITH ORDINALITY AS given (last_us, in_second, now_us, nth),
       next_stamp(${timestamp("last_us")}, in_second, ${timestamp("now_us")}) AS stamp
     ORDER BY nth`,
    [
      calls.map(({ clock }) => clock.lastMs * 1_000),
      calls.map(({ clock }) => clock.inSecond),
      calls.map(({ nowMs }) => Math.round(nowMs * 1_000)),
    ],
  );
  return rows.map((row) => ({ lastMs: Number(row.us) / 1_000, inSecond: row.count }));
}

function timestamp(microsecondsColumn: string): string {
  return `timestamptz 'epoch' + ${microsecondsColumn} * interval '1 microsecond'`;
}

function microseconds(column: string): string {
  return `(extract(epoch FROM ${column}) * 1000000)::bigint`;
}
