import { setTimeout as delay } from "node:timers/promises";
import { defineJob, transact } from "#platform";
import type { Db, Job, JobSender, Log } from "#platform";
import * as z from "zod";
import { admitDue, isAnyWaiting } from "./delivery-store.ts";

/** The maximum number of concurrent requests to one endpoint. */
export const SLOTS = 8;
const EVERY_MS = 250;
/** The pause between two dispatches while new deliveries keep arriving. */
const GATHER_MS = 5;
/** The maximum number of endpoints per transaction, so that it stays short. */
const MAX_ENDPOINTS = 200;

export interface DispatcherOptions {
  db: Db;
  jobs: JobSender;
  log: Log;
  /** Called when deliveries got slots, that is, when there are jobs to run. */
  onAdmitted: () => void;
}

/**
 * Gives each endpoint's free slots to its due deliveries, as jobs. Only deliveries with a slot have
 * a job: a backlog of 100,000 for a dead endpoint stays in our table and slows nobody.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #wake: () => void = () => undefined;
  #poked = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Dispatches now instead of at the next interval: something may be due, or a slot free. */
  poke(): void {
    this.#poked = true;
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#poked = false;
      try {
        if ((await this.#dispatch()) > 0) this.#options.onAdmitted();
      } catch (error) {
        this.#options.log.warn({ err: error }, "deliveries could not be dispatched");
      }
      if (!this.#poked) await this.#pause();
      // Deliveries that arrive in the meantime are dispatched together.
      else await delay(GATHER_MS);
    }
  }

  async #dispatch(): Promise<number> {
    // There is usually nothing to do, and finding that out in a transaction takes three times as long.
    if (!(await isAnyWaiting(this.#options.db))) return 0;
    return transact(this.#options.db, async (trx) => {
      const ids = await admitDue(trx, { slots: SLOTS, limit: MAX_ENDPOINTS });
      if (ids.length > 0) {
        const payloads = ids.map((deliveryId) => ({ deliveryId }));
        await this.#options.jobs.send(trx, deliver, payloads);
      }
      return ids.length;
    });
  }

  async #pause(): Promise<void> {
    const woken = new Promise<void>((resolve) => (this.#wake = resolve));
    const over = delay(EVERY_MS, undefined, { signal: this.#stopping.signal }).catch(
      () => undefined,
    );
    await Promise.race([woken, over]);
  }
}

/** One attempt of one delivery that the dispatcher has given one of its endpoint's slots. */
export const deliver: Job<{ deliveryId: string }> = defineJob({
  name: "deliver",
  payload: z.strictObject({ deliveryId: z.string().regex(/^\d+$/) }),
  // Ten seconds for the receiver, and time to record its answer.
  expireInSecs: 15,
});
