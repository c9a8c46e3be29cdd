import { describe, expect, it } from "vitest";
import { WatchedClock } from "./clock.ts";
import type { ClockJump } from "./clock.ts";

const START_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/** A process and its database, three seconds from one comparison to the next. */
function createWorld() {
  const jumps: (ClockJump | undefined)[] = [];
  const world = { elapsedMs: 0, processMs: 0, databaseMs: 0, jumps, pass };
  const clock = new WatchedClock(
    {
      nowMs: () => START_MS + world.elapsedMs + world.processMs,
      monotonicMs: () => world.elapsedMs,
    },
    (jump) => jumps.push(jump),
  );
  function pass(times = 1): void {
    for (let i = 0; i < times; i++) {
      world.elapsedMs += 3_000;
      clock.compare(START_MS + world.elapsedMs + world.databaseMs);
    }
  }
  return { world, clock, trueMs: () => START_MS + world.elapsedMs };
}

// O2
describe("a watched clock", () => {
  it("bounds nothing until it has seen the database's clock, and then a minute ahead of it", () => {
    const { world, clock, trueMs } = createWorld();
    expect(clock.latestMs()).toBeUndefined();
    world.pass();
    expect(clock.latestMs()).toBe(trueMs() + 60_000);
    world.elapsedMs += 1_000;
    expect(clock.latestMs()).toBe(trueMs() + 60_000);
    expect(world.jumps).toEqual([]);
  });

  it.each([HOUR_MS, YEAR_MS, -HOUR_MS, -YEAR_MS])(
    "goes on past a jump of the database's clock by %d ms, and tells of it once",
    (jumpMs) => {
      const { world, clock, trueMs } = createWorld();
      world.pass(3);
      world.databaseMs = jumpMs;
      world.pass(100);
      expect(clock.latestMs()).toBe(trueMs() + 60_000);
      expect(world.jumps).toEqual([
        { aheadOfProcessSecs: jumpMs / 1_000, aheadOfExpectedSecs: jumpMs / 1_000 },
      ]);
      expect(clock.ahead).toEqual({ ofProcess: jumpMs / 1_000, ofExpected: jumpMs / 1_000 });
      world.databaseMs = 0;
      world.pass();
      expect(world.jumps.slice(1)).toEqual([undefined]);
      expect(clock.latestMs()).toBe(trueMs() + 60_000);
    },
  );

  it("trusts the database when only the process's clock jumps, and tells of it", () => {
    const { world, clock, trueMs } = createWorld();
    world.pass();
    world.processMs = -YEAR_MS;
    world.pass();
    expect(clock.latestMs()).toBe(trueMs() + 60_000);
    expect(world.jumps).toMatchObject([{ aheadOfExpectedSecs: 0 }]);
  });

  it("follows a machine that slept for hours, and not one whose clocks are a year ahead", () => {
    const { world, clock, trueMs } = createWorld();
    world.pass();
    world.databaseMs = world.processMs = 8 * HOUR_MS;
    world.pass();
    expect(clock.latestMs()).toBe(trueMs() + 8 * HOUR_MS + 60_000);
    expect(world.jumps).toEqual([]);
    world.databaseMs = world.processMs = YEAR_MS;
    world.pass();
    expect(clock.latestMs()).toBe(trueMs() + 8 * HOUR_MS + 60_000);
    expect(world.jumps).toHaveLength(1);
  });

  it("follows a clock that drifts, for years", () => {
    const { world, clock, trueMs } = createWorld();
    for (let i = 0; i < 1_000; i++) {
      world.databaseMs += 500;
      world.processMs += 500;
      world.pass();
    }
    expect(clock.latestMs()).toBe(trueMs() + world.databaseMs + 60_000);
    expect(world.jumps).toEqual([]);
  });
});
