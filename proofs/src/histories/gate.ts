/**
 * Lets so many through at once, the others wait their turn. The database pool would refuse who
 * waits longer than a second.
 */
export class Gate {
  #places: number;
  readonly #waiting: (() => void)[] = [];
  readonly #outer: Gate | undefined;

  /** Who is through this gate still has to pass the outer one. */
  constructor(places: number, outer?: Gate) {
    this.#places = places;
    this.#outer = outer;
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#places > 0) this.#places--;
    else await new Promise<void>((go) => void this.#waiting.push(go));
    try {
      return await (this.#outer === undefined ? work() : this.#outer.pass(work));
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#places++;
      else next();
    }
  }
}
