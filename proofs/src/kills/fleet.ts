import { setTimeout as delay } from "node:timers/promises";
import type { TestDatabase } from "@svc/server/testing";
import { startPipelineProcess } from "../pipeline/pipeline-process.ts";
import type { PipelineProcess } from "../pipeline/pipeline-process.ts";
import type { Interruption } from "./job-log.ts";

/** Where a process kills itself, and at which share of its passes there. */
export type Failpoints = Readonly<Record<string, number>>;

const RESTART_MS = 100;

/** Pipeline processes that are started again whenever they end, as an operator's supervisor does. */
export class Fleet {
  readonly #database: TestDatabase;
  readonly #environment: Record<string, string>;
  readonly #failpoints: Failpoints;
  readonly #places: Promise<void>[] = [];
  readonly #running = new Map<PipelineProcess, string | undefined>();
  #started = 0;
  #failing = 0;
  #calm = false;
  #stopping = false;
  /** Ends by SIGKILL. */
  readonly deaths: Interruption[] = [];
  /** How often a process died at which failpoint. */
  readonly diedAt: Map<string, number> = new Map();
  /** Ends that nobody wanted, and whatever stood on standard error. */
  readonly faults: string[] = [];

  constructor(database: TestDatabase, environment: Record<string, string>, failpoints: Failpoints) {
    this.#database = database;
    this.#environment = environment;
    this.#failpoints = failpoints;
  }

  /** A place for one process at a time. At a place with failpoints each process has the next of them. */
  keep(options: { failpoints: boolean }): void {
    this.#places.push(this.#keep(options.failpoints));
  }

  /** Those at work that do not kill themselves. */
  working(): PipelineProcess[] {
    return [...this.#running.entries()].flatMap(([one, failpoint]) =>
      failpoint === undefined && one.isWorking() ? [one] : [],
    );
  }

  /** Resolves when every place has a process at work. */
  async ready(): Promise<void> {
    while (![...this.#running.keys()].every((one) => one.isWorking())) await delay(50);
  }

  /** Runs one process in peace: it makes the log's partitions, and leaves compiled code for those that are killed. */
  async prepare(): Promise<void> {
    const one = this.start();
    await one.started;
    one.signal("SIGTERM");
    await one.ended;
  }

  /** Starts one that is not started again. */
  start(environment: Record<string, string> = {}): PipelineProcess {
    this.#started += 1;
    return startPipelineProcess(this.#database, `worker-${this.#started}`, {
      ...this.#environment,
      ...environment,
    });
  }

  /** From now on nobody kills itself. */
  calm(): void {
    this.#calm = true;
    for (const [one, failpoint] of this.#running) if (failpoint) one.signal("SIGKILL");
  }

  /** Kills what runs, and starts no more. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const one of this.#running.keys()) one.signal("SIGKILL");
    await Promise.all(this.#places);
  }

  /** Judges how a process ended. */
  async watch(one: PipelineProcess, failpoint?: string): Promise<void> {
    const { atMs, exitCode, signal } = await one.ended;
    if (signal === "SIGKILL") this.deaths.push({ atMs, worker: one.name });
    // It was started while PostgreSQL was away.
    const isTooEarly = exitCode === 1 && one.log.some(({ msg }) => msg === "could not start");
    if (signal !== "SIGKILL" && !isTooEarly) {
      const last = JSON.stringify(one.log.at(-1));
      this.faults.push(`${one.name} ended with ${exitCode ?? signal}: ${last}`);
    }
    if (one.errors() !== "") this.faults.push(`${one.name}: ${one.errors().trim()}`);
    if (signal === "SIGKILL" && failpoint !== undefined && !this.#calm) {
      this.diedAt.set(failpoint, (this.diedAt.get(failpoint) ?? 0) + 1);
    }
  }

  async #keep(withFailpoints: boolean): Promise<void> {
    const names = Object.keys(this.#failpoints);
    while (!this.#stopping) {
      const isFailing = withFailpoints && !this.#calm;
      const failpoint = isFailing ? names[this.#failing++ % names.length] : undefined;
      const one = this.start(
        failpoint === undefined
          ? {}
          : { SVC_FAILPOINTS: `${failpoint}=kill@${this.#failpoints[failpoint]}` },
      );
      this.#running.set(one, failpoint);
      await this.watch(one, failpoint);
      this.#running.delete(one);
      await delay(RESTART_MS);
    }
  }
}
