import { setTimeout as delay } from "node:timers/promises";
import { defineJob, transact } from "#platform";
import type { Db, Job, JobSender, Log } from "#platform";
import * as z from "zod";
import { admitDue, isAnyWaiting } from "./delivery-store.ts";

/** Requests to one endpoint at the same time. */
export const SLOTS = 8;
const EVERY_MS = 250;
/** Between two looks when there is always something new. */
const GATHER_MS = 5;
/** Endpoints served by one transaction, so that it stays short. */
const MOST_ENDPOINTS = 200;

export interface DispatcherOptions {
  db: Db;
  jobs: JobSender;
  log: Log;
  /** Called when deliveries have got slots: there are jobs to be run. */
  onAdmitted: () => void;
}

/**
 * Gives each endpoint's free slots to its due deliveries, as jobs. Only what has a slot has a job:
 * a backlog of 100,000 for a dead endpoint stays in our table and slows nobody.
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

  /** There may be something due, or a slot free: looks now instead of at the next turn. */
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
      // Whatever else comes in the meantime is dispatched with it.
      else await delay(GATHER_MS);
    }
  }

  async #dispatch(): Promise<number> {
    // Mostly there is nothing, and a transaction takes three times as long to find out.
    if (!(await isAnyWaiting(this.#options.db))) return 0;
    return transact(this.#options.db, async (trx) => {
      const ids = await admitDue(trx, { slots: SLOTS, most: MOST_ENDPOINTS });
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

/** One attempt of one delivery, given to it by the dispatcher with one of its endpoint's slots. */
export const deliver: Job<{ deliveryId: string }> = defineJob({
  name: "deliver",
  payload: z.strictObject({ deliveryId: z.string().regex(/^\d+$/) }),
  // The receiver's ten seconds, and time to write what it answered.
  expireInSecs: 15,
});
