import { createFakeClock } from "#testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RateLimit } from "./rate-limit.ts";

const takeAll = (limit: RateLimit, key: string, times: number): number =>
  Array.from({ length: times }, () => limit.take(key)).filter((wait) => wait === 0).length;

describe("the rate limit", () => {
  it("lets a burst through, then as many a second as it says", () => {
    const clock = createFakeClock();
    const limit = new RateLimit(100, 1_000, clock);
    expect(takeAll(limit, "a", 1_200)).toBe(1_000);
    clock.advance(1_000);
    expect(takeAll(limit, "a", 1_200)).toBe(100);
    clock.advance(60_000);
    expect(takeAll(limit, "a", 1_200)).toBe(1_000);
  });

  it("counts each key by itself", () => {
    const limit = new RateLimit(1, 2, createFakeClock());
    expect(takeAll(limit, "a", 5)).toBe(2);
    expect(takeAll(limit, "b", 5)).toBe(2);
  });

  it("never lets more through than burst and rate allow, and keeps its word about the wait", () => {
    const step = fc.record({ advanceMs: fc.nat(3_000), times: fc.nat(10) });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(step),
        (perSecond, burst, steps) => {
          const clock = createFakeClock();
          const limit = new RateLimit(perSecond, burst, clock);
          let passed = 0;
          let lastWaitSecs = 0;
          for (const { advanceMs, times } of steps) {
            clock.advance(advanceMs);
            for (let i = 0; i < times; i++) {
              lastWaitSecs = limit.take("a");
              if (lastWaitSecs === 0) passed++;
              expect(lastWaitSecs === 0 || lastWaitSecs >= 1).toBe(true);
            }
            expect(passed).toBeLessThanOrEqual(
              burst + (perSecond * clock.monotonicMs()) / 1_000 + 1e-6,
            );
          }
          clock.advance(lastWaitSecs * 1_000);
          expect(lastWaitSecs === 0 || limit.take("a") === 0).toBe(true);
        },
      ),
    );
  });

  it("tells a slow limit's wait in whole seconds", () => {
    const limit = new RateLimit(0.1, 1, createFakeClock());
    expect([limit.take("a"), limit.take("a")]).toEqual([0, 10]);
  });

  it("still limits the latest when it has seen more keys than it keeps", () => {
    const limit = new RateLimit(1, 1, createFakeClock());
    for (let key = 0; key < 25_000; key++) limit.take(key);
    expect(takeAll(limit, "late", 5)).toBe(1);
  });

  it("keeps who is still limited when it forgets who is not", () => {
    const clock = createFakeClock();
    const limit = new RateLimit(1, 1, clock);
    for (let key = 0; key < 9_999; key++) limit.take(key);
    clock.advance(2_000);
    limit.take("now");
    limit.take("one more key than it keeps");
    expect(limit.take("now")).toBe(1);
  });
});
