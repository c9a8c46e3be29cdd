/** Numbers that a seed repeats: what fails with it can be played again. */
export class Random {
  #state: number;

  /** @param stream tells apart what one seed is used for */
  constructor(seed: number, stream?: number) {
    this.#state = Math.imul(seed, 0x9e3779b1) >>> 0;
    if (stream === undefined) return;
    this.#state = (this.#state ^ Math.imul(stream + 1, 0x85ebca6b)) >>> 0;
    this.next();
  }

  /** From 0 to below 1 (splitmix, 32 bits). */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }

  /** Both ends included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.integer(0, choices.length - 1)]!;
  }

  /** `count` different ones, in random order. */
  pickSeveral<T>(choices: readonly T[], count: number): T[] {
    const left = [...choices];
    const picked: T[] = [];
    while (picked.length < count && left.length > 0) {
      picked.push(...left.splice(this.integer(0, left.length - 1), 1));
    }
    return picked;
  }

  /** Each choice as often as its weight says. */
  weighted<T>(choices: readonly (readonly [T, weight: number])[]): T {
    let point = this.next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    return (choices.find(([, weight]) => (point -= weight) < 0) ?? choices.at(-1)!)[0];
  }
}
