import { allotStamp } from "#testing";
import type { StampClock } from "#testing";
import fc from "fast-check";
import type pg from "pg";
import { expect } from "vitest";
import { databaseTest } from "#testing/database-test";

/** 2026-11-15T10:00:00Z: every offset below counts from a whole second. */
const BASE_MS = 1_794_736_800_000;

interface Call {
  clock: StampClock;
  /** With microseconds behind the point, as PostgreSQL's clock has them. */
  nowMs: number;
}

/** Both ends of a second come often, and a second that is nearly full: that is where the rules bite. */
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
  // The first second has but ten milliseconds left.
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
