import type { Log } from "./observability/log.ts";

/** Work that must be done now and then, and that can wait an hour longer when it fails. */
export interface UpkeepTask {
  run(): Promise<unknown>;
  /** What the log says then. */
  failure: string;
}

export interface Upkeep {
  stop(): void;
}

const UPKEEP_EVERY_MS = 3_600_000;

/** Runs the tasks once before it resolves, and every hour from then on, one after another. */
export async function startUpkeep(tasks: readonly UpkeepTask[], log: Log): Promise<Upkeep> {
  const runAll = async (): Promise<void> => {
    for (const { run, failure } of tasks) {
      await run().catch((error: unknown) => log.error({ err: error }, failure));
    }
  };
  await runAll();
  const timer = setInterval(() => void runAll(), UPKEEP_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
