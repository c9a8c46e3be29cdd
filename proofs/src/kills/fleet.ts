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
  readonly #places: Promise<void>[] = [];
  readonly #running = new Map<PipelineProcess, string | undefined>();
  #started = 0;
  #isCalm = false;
  #isStopping = false;
  /** Ends by SIGKILL. */
  readonly deaths: Interruption[] = [];
  /** How often a process died at which failpoint. */
  readonly diedAt: Map<string, number> = new Map();
  /** Unexpected exits, and whatever was written to standard error. */
  readonly faults: string[] = [];

  constructor(database: TestDatabase, environment: Record<string, string>) {
    this.#database = database;
    this.#environment = environment;
  }

  /** Keeps one process running. With failpoints, each process that is started has the next of them. */
  keep(failpoints: Failpoints = {}): void {
    this.#places.push(this.#keep(Object.entries(failpoints)));
  }

  /** The processes at work that do not kill themselves. */
  working(): PipelineProcess[] {
    return [...this.#running.entries()].flatMap(([one, failpoint]) =>
      failpoint === undefined && one.isWorking() ? [one] : [],
    );
  }

  /** Resolves when every kept process is at work. */
  async ready(): Promise<void> {
    while (![...this.#running.keys()].every((one) => one.isWorking())) await delay(50);
  }

  /** Runs one process undisturbed: it creates the log's partitions and fills the compile cache. */
  async prepare(): Promise<void> {
    const one = this.start();
    await one.started;
    one.signal("SIGTERM");
    await one.ended;
  }

  /** Starts a process that is not started again. */
  start(environment: Record<string, string> = {}): PipelineProcess {
    this.#started += 1;
    return startPipelineProcess(this.#database, `worker-${this.#started}`, {
      ...this.#environment,
      ...environment,
    });
  }

  /** From now on no process kills itself. */
  calm(): void {
    this.#isCalm = true;
    for (const [one, failpoint] of this.#running) if (failpoint) one.signal("SIGKILL");
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const one of this.#running.keys()) one.signal("SIGKILL");
    await Promise.all(this.#places);
  }

  /** Waits for a process to end and judges how it ended. */
  async watch(one: PipelineProcess, failpoint?: string): Promise<void> {
    const { atMs, exitCode, signal } = await one.ended;
    const isKilled = signal === "SIGKILL";
    if (isKilled) this.deaths.push({ atMs, worker: one.name });
    // A process that was started while PostgreSQL was away gives up.
    const isTooEarly = exitCode === 1 && one.log.some(({ msg }) => msg === "could not start");
    if (!isKilled && !isTooEarly) {
      const last = JSON.stringify(one.log.at(-1));
      this.faults.push(`${one.name} ended with ${exitCode ?? signal}: ${last}`);
    }
    if (one.errors() !== "") this.faults.push(`${one.name}: ${one.errors().trim()}`);
    if (isKilled && failpoint !== undefined && !this.#isCalm) {
      this.diedAt.set(failpoint, (this.diedAt.get(failpoint) ?? 0) + 1);
    }
  }

  async #keep(failpoints: [name: string, share: number][]): Promise<void> {
    for (let turn = 0; !this.#isStopping; turn++) {
      const [name, share] = (!this.#isCalm && failpoints[turn % failpoints.length]) || [];
      const one = this.start(name === undefined ? {} : { SVC_FAILPOINTS: `${name}=kill@${share}` });
      this.#running.set(one, name);
      await this.watch(one, name);
      this.#running.delete(one);
      await delay(RESTART_MS);
    }
  }
}
