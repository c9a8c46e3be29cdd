import OpenAI from "openai";
import type { Clock } from "#platform";
import { ModelBusy } from "./model-errors.ts";

/** The account that pays for a request; undefined for the operator's own. */
export type Account = number | undefined;

/** Fewer would let one slow answer hold back everybody. */
const FEWEST = 4;
/** A provider refuses many requests in the same moment: together they are one sign. */
const LOWER_EVERY_MS = 1_000;

/**
 * The requests to a model at once. A free slot goes to the account with the fewest requests under way, and of those to
 * the one that was served longest ago, so that the backlog of one account does not hold back another's. While the
 * provider says that it is busy there are fewer slots, and with each answer a little more again.
 */
export class FairSlots {
  readonly #most: number;
  readonly #clock: Clock;
  readonly #lines = new Map<Account, Line>();
  #taken = 0;
  #starts = 0;
  #slots: number;
  #loweredAtMs = -Infinity;

  constructor(most: number, clock: Clock) {
    this.#most = most;
    this.#slots = most;
    this.#clock = clock;
  }

  /** Throws `ModelBusy` when no slot was free in time. */
  async run<Answer>(
    account: Account,
    wait: { signal: AbortSignal; withinMs: number },
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    await this.#take(account, wait);
    try {
      return await work();
    } finally {
      this.#release(account);
    }
  }

  /** An answer came. */
  raise(): void {
    this.#slots = Math.min(this.#most, this.#slots + 1 / this.#slots);
    this.#fill();
  }

  /** The provider was busy. */
  lower(): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#loweredAtMs < LOWER_EVERY_MS) return;
    this.#loweredAtMs = nowMs;
    const fewest = Math.min(FEWEST, this.#most);
    this.#slots = Math.max(fewest, Math.min(this.#slots, this.#taken) * 0.7);
  }

  async #take(
    account: Account,
    { signal, withinMs }: { signal: AbortSignal; withinMs: number },
  ): Promise<void> {
    if (signal.aborted) throw new OpenAI.APIUserAbortError();
    const line = this.#lines.get(account) ?? { running: 0, lastStart: 0, waiting: [] };
    this.#lines.set(account, line);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    line.waiting.push(resolve);
    this.#fill();
    const leave = (error: Error): void => {
      const at = line.waiting.indexOf(resolve);
      if (at === -1) return;
      line.waiting.splice(at, 1);
      this.#forget(account, line);
      reject(error);
    };
    const busy = new ModelBusy("has too many requests at once", { isUnbilled: true });
    const late = setTimeout(() => leave(busy), withinMs);
    const abort = (): void => leave(new OpenAI.APIUserAbortError());
    signal.addEventListener("abort", abort, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", abort);
    }
  }

  #release(account: Account): void {
    this.#taken -= 1;
    const line = this.#lines.get(account);
    if (line === undefined) return;
    line.running -= 1;
    this.#fill();
    this.#forget(account, line);
  }

  #fill(): void {
    while (this.#taken < Math.floor(this.#slots)) {
      const [next] = [...this.#lines.values()]
        .filter(({ waiting }) => waiting.length > 0)
        .toSorted((a, b) => a.running - b.running || a.lastStart - b.lastStart);
      const start = next?.waiting.shift();
      if (next === undefined || start === undefined) return;
      this.#taken += 1;
      this.#starts += 1;
      next.running += 1;
      next.lastStart = this.#starts;
      start();
    }
  }

  #forget(account: Account, { running, waiting }: Line): void {
    if (running === 0 && waiting.length === 0) this.#lines.delete(account);
  }
}

/** The requests of one account. */
interface Line {
  running: number;
  /** The number of its latest start, of all starts. */
  lastStart: number;
  waiting: (() => void)[];
}
