import { AppError } from "#platform";

/**
 * Runs work of the same key one after another, and work of different keys concurrently. Waiting for
 * a lock in the database would hold a connection, and a rush on one account would take all of them.
 */
export class OneByOne {
  readonly #maxWaiting: number;
  readonly #queues = new Map<number, { waiting: number; last: Promise<unknown> }>();

  /** @param maxWaiting the number of calls per key that may wait */
  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  async run<T>(key: number, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { waiting: 0, last: Promise.resolve() };
    if (queue.waiting >= this.#maxWaiting) {
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
