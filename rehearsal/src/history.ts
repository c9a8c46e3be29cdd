/** The last of many things that came, each known by its number: from 1, in order of arrival. */
export class History<T> {
  readonly #kept: number;
  #items: T[] = [];
  #total = 0;

  constructor(kept: number) {
    this.#kept = kept;
  }

  get total(): number {
    return this.#total;
  }

  add(item: T): void {
    this.#total += 1;
    this.#items.push(item);
    // Now and then, since each time costs a copy of all that is kept.
    if (this.#items.length >= 2 * this.#kept) this.#items = this.recent();
  }

  /** Oldest first. */
  recent(): T[] {
    return this.#items.slice(-this.#kept);
  }

  /** Oldest first, from the one after this number. */
  after(number: number, limit: number = this.#kept): T[] {
    const before = this.#total - this.#items.length;
    const from = Math.max(0, number - before);
    return this.#items.slice(from, from + limit);
  }

  /** The newest so many first, each with its number. */
  newest(count: number): (T & { number: number })[] {
    const items = this.recent().slice(-count);
    const before = this.#total - items.length;
    return items.map((item, index) => ({ ...item, number: before + index + 1 })).toReversed();
  }

  at(number: number): T | undefined {
    return number > this.#total - this.#kept ? this.after(number - 1, 1)[0] : undefined;
  }
}

/** The same, with how often each value of some fields came. */
export class CountedHistory<T, K extends keyof T> extends History<T> {
  readonly #tallies: Map<K, Tally>;

  constructor(kept: number, fields: readonly K[]) {
    super(kept);
    this.#tallies = new Map(fields.map((field) => [field, new Tally()]));
  }

  override add(item: T): void {
    super.add(item);
    for (const [field, tally] of this.#tallies) {
      const value = item[field];
      if (typeof value === "string") tally.add(value);
    }
  }

  tally(field: K): Record<string, number> {
    return this.#tallies.get(field)!.read();
  }
}

/** How often each name came. */
export class Tally<K extends string = string> {
  readonly #counts = new Map<K, number>();

  add(name: K | undefined): void {
    if (name === undefined) return;
    // Names may come from outside: without a bound, nonsense would fill the memory.
    if (this.#counts.size >= MAX_NAMES && !this.#counts.has(name)) return;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  read(): Record<K, number> {
    return Object.fromEntries(this.#counts) as Record<K, number>;
  }
}

const MAX_NAMES = 1_000;
