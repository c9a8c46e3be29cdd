import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allotImportStamp, MAX_IN_SECOND, SecondCounts, secondOf } from "./import-stamp.ts";
import type { PlacedSession } from "./import-stamp.ts";

/** Places sessions one by one, as an import does, into an account that holds some already. */
async function place(
  given: number[],
  there: number[] = [],
  previous?: PlacedSession,
): Promise<number[]> {
  const counts = new Map<number, number>();
  const add = (ms: number): unknown =>
    counts.set(secondOf(ms), (counts.get(secondOf(ms)) ?? 0) + 1);
  there.forEach(add);
  const placed: number[] = [];
  for (const givenMs of given) {
    const atMs = await allotImportStamp(previous, givenMs, (second) => counts.get(second) ?? 0);
    add(atMs);
    placed.push(atMs);
    previous = { givenMs, atMs };
  }
  return placed;
}

const times = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms);

/** Few seconds and many sessions, so that seconds overflow. */
const moment = fc.oneof(
  fc.constantFrom(1_000, 1_001, 1_999, 2_000),
  fc.integer({ min: 1_000, max: 4_999 }),
);
const moments = fc.array(moment, { maxLength: 400, size: "max" });

function perSecond(stamps: number[]): number[] {
  return [...Map.groupBy(stamps, secondOf).values()].map((group) => group.length);
}

describe("the stamp of an imported session", () => {
  it("is the time it was given", async () => {
    expect(await place([1_001, 1_500, 1_500, 1_999])).toEqual([1_001, 1_500, 1_500, 1_999]);
  });

  it("leaves the whole second, in the order of the file", async () => {
    expect(await place([1_000, 1_000, 1_000])).toEqual([1_001, 1_002, 1_003]);
    expect(await place([1_000, 1_001, 1_002, 1_009])).toEqual([1_001, 1_002, 1_003, 1_009]);
  });

  it("moves to the next second when its own is full, behind those that moved before it", async () => {
    const placed = await place([...times(100, 1_500), 1_600, 2_001]);
    expect(placed.slice(98)).toEqual([1_500, 2_001, 2_002, 2_003]);
  });

  it("passes over seconds that others have filled", async () => {
    expect(await place([1_500], [...times(99, 1_300), ...times(99, 2_300)])).toEqual([3_001]);
  });

  it("goes back with a file that is in no order", async () => {
    expect(await place([2_500, 1_500, 2_000])).toEqual([2_500, 1_500, 2_001]);
  });

  it("is never a whole second, never earlier than given, and at most 99 share one", async () => {
    await fc.assert(
      fc.asyncProperty(moments, moments, async (given, there) => {
        const earlier = await place(there);
        const placed = await place(given, earlier);
        expect(placed.filter((ms) => ms % 1_000 === 0)).toEqual([]);
        expect(placed.every((ms, index) => ms >= given[index]!)).toBe(true);
        expect(Math.max(0, ...perSecond([...earlier, ...placed]))).toBeLessThanOrEqual(
          MAX_IN_SECOND,
        );
      }),
    );
  });

  it("keeps the order of a file that is in order; only sessions of one moment may share one", async () => {
    await fc.assert(
      fc.asyncProperty(moments, moments, async (unordered, there) => {
        const given = unordered.toSorted((a, b) => a - b);
        const placed = await place(given, there);
        for (let i = 1; i < placed.length; i++) {
          const isTie = given[i] === given[i - 1] && placed[i] === given[i];
          expect(placed[i]! - placed[i - 1]!).toBeGreaterThanOrEqual(isTie ? 0 : 1);
        }
      }),
    );
  });

  it("passes a second only when that is full, or by a few milliseconds at its end", async () => {
    await fc.assert(
      fc.asyncProperty(moments, async (unordered) => {
        const given = unordered.toSorted((a, b) => a - b);
        const placed = await place(given);
        const counts = Map.groupBy(placed, secondOf);
        for (const [i, atMs] of placed.entries()) {
          if (atMs - given[i]! < MAX_IN_SECOND) continue;
          for (let second = secondOf(given[i]!); second < secondOf(atMs); second++)
            expect(counts.get(second)).toHaveLength(MAX_IN_SECOND);
        }
      }),
    );
  });

  it("is the same wherever the import was broken off", async () => {
    await fc.assert(
      fc.asyncProperty(moments, fc.nat(400), async (given, cut) => {
        const whole = await place(given);
        const before = whole.slice(0, cut);
        const last = before.length - 1;
        const previous = last < 0 ? undefined : { givenMs: given[last]!, atMs: before[last]! };
        const after = await place(given.slice(cut), before, previous);
        expect([...before, ...after]).toEqual(whole);
      }),
    );
  });
});

describe("counts of seconds", () => {
  it("are asked for once, and go on counting here", async () => {
    const asked: number[][] = [];
    const counts = new SecondCounts(async (seconds) => {
      asked.push(seconds);
      return new Map(seconds.map((second) => [second, second]));
    });
    await counts.prepare([5, 5, 7]);
    counts.add(5);
    counts.raise(7, 3);
    counts.raise(7, 90);
    expect([await counts.of(5), await counts.of(7), await counts.of(60)]).toEqual([6, 90, 60]);
    expect(await counts.of(79)).toBe(79);
    expect(asked.map((seconds) => seconds.length)).toEqual([2, 20]);
  });
});
