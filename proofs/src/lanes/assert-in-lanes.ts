import fc from "fast-check";

/** One of several that check the same property side by side, with a connection or the like of its own. */
export interface Lane<T> {
  check(value: T): Promise<void>;
  close?(): void;
}

export interface LaneOptions {
  lanes: number;
  /** Of all lanes together. */
  runs: number;
  seed: number;
  /** What was checked until this time is up counts. */
  timeMs: number;
}

/** Throws with the smallest value that fails in the lane that fails first. The other lanes have ended by then. */
export async function assertInLanes<T>(
  arbitrary: fc.Arbitrary<T>,
  openLane: () => Lane<T> | Promise<Lane<T>>,
  { lanes, runs, seed, timeMs }: LaneOptions,
): Promise<void> {
  let failed: Lane<T> | undefined;
  const runLane = async (index: number): Promise<void> => {
    const lane = await openLane();
    let lastCheck = Promise.resolve();
    const property = fc.asyncProperty(arbitrary, async (value) => {
      if (failed !== undefined && failed !== lane) return;
      lastCheck = lane.check(value).catch((error: unknown) => {
        failed ??= lane;
        if (failed === lane) throw error;
      });
      await lastCheck;
    });
    try {
      await fc.assert(property, {
        seed: seed + index,
        numRuns: Math.ceil(runs / lanes),
        interruptAfterTimeLimit: timeMs,
        includeErrorInReport: true,
      });
    } finally {
      // When time is up, fast-check leaves a check under way, and closing what it uses would fail it.
      await lastCheck.catch(() => {});
      lane.close?.();
    }
  };
  const ends = await Promise.allSettled(
    Array.from({ length: lanes }, (_, index) => runLane(index)),
  );
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}
