/** Lets one through at a time. */
export class Turnstile {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when those before have gone, with what lets the next one in. */
  async enter(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    await before;
    return resolve;
  }
}
