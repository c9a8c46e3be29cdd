/** Runs at most so many pieces of work at once. The database pool refuses what waits for over a second. */
export class ConcurrencyLimit {
  #free: number;
  readonly #waiting: (() => void)[] = [];
  readonly #outer: ConcurrencyLimit | undefined;

  /** @param outer a limit that work within this one counts against too */
  constructor(free: number, outer?: ConcurrencyLimit) {
    this.#free = free;
    this.#outer = outer;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((go) => void this.#waiting.push(go));
    try {
      return await (this.#outer === undefined ? work() : this.#outer.run(work));
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
