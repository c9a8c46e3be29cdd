import { AppError } from "#platform";

/**
 * Work of the same key follows one another, work of other keys goes beside it. Who waits for a lock
 * in the database holds a connection, and one account's rush would take them all.
 */
export class OneByOne {
  readonly #most: number;
  readonly #queues = new Map<number, { waiting: number; last: Promise<unknown> }>();

  /** @param most how many of one key may wait */
  constructor(most: number) {
    this.#most = most;
  }

  async run<T>(key: number, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { waiting: 0, last: Promise.resolve() };
    if (queue.waiting >= this.#most) {
      throw new AppError("unavailable", {
        what: "This cannot be done right now.",
        why: "Too many wait for the same.",
        fix: "Try again in a moment.",
      });
    }
    this.#queues.set(key, queue);
    queue.waiting += 1;
    const done = queue.last.then(work, work);
    queue.last = done;
    try {
      return await done;
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) this.#queues.delete(key);
    }
  }
}
