import type { Log } from "./observability/log.ts";

/**
 * Stops a process in order: the first SIGTERM or SIGINT runs the steps, last added first; the
 * second one, or running out of time, ends it at once. A process with nothing to finish stops at once.
 */
export class Lifecycle {
  readonly #log: Log;
  readonly #limitMs: number;
  readonly #steps: { name: string; stop: () => Promise<unknown> }[] = [];
  #stopping = false;
  #deadline: { atMs: number; timer: NodeJS.Timeout } | undefined;

  constructor(log: Log, limitMs: number) {
    this.#log = log;
    this.#limitMs = limitMs;
    process.on("SIGTERM", (signal) => this.#signalled(signal));
    process.on("SIGINT", (signal) => this.#signalled(signal));
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  onStop(name: string, stop: () => Promise<unknown>): void {
    this.#steps.unshift({ name, stop });
  }

  /** From now on the rest may take this long, but not longer than all of it may. */
  limitRest(restMs: number): void {
    const atMs = performance.now() + restMs;
    if (this.#deadline !== undefined && this.#deadline.atMs <= atMs) return;
    clearTimeout(this.#deadline?.timer);
    const timer = setTimeout(() => {
      this.#log.error("did not stop in time");
      process.exit(1);
    }, restMs).unref();
    this.#deadline = { atMs, timer };
  }

  #signalled(signal: NodeJS.Signals): void {
    if (this.#stopping) {
      this.#log.warn({ signal }, "stopping at once");
      process.exit(1);
    }
    this.#stopping = true;
    this.#log.info({ signal, limitMs: this.#limitMs }, "stopping");
    this.limitRest(this.#limitMs);
    void this.#stop();
  }

  async #stop(): Promise<void> {
    for (const { name, stop } of this.#steps) {
      try {
        await stop();
      } catch (error) {
        this.#log.error({ err: error, step: name }, "a step of stopping failed");
      }
    }
    this.#log.info("stopped");
  }
}

/** Work that must be done now and then, and that can wait an hour longer when it fails. */
export interface UpkeepTask {
  run(): Promise<unknown>;
  /** The log's message when it fails. */
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
