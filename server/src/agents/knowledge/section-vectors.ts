/** What each section means, as vectors of length 1 from one model. */
export class SectionVectors {
  readonly #numbers: Float32Array;
  readonly #width: number;
  /** How near the nearest section is to questions about something else, on average and at most. */
  readonly #strange: { mean: number; most: number };

  /** @param strangers vectors of questions that no section answers. */
  constructor(vectors: Float32Array[], strangers: Float32Array[]) {
    this.#width = strangers[0]!.length;
    this.#numbers = new Float32Array(vectors.length * this.#width);
    for (const [at, vector] of vectors.entries()) this.#numbers.set(vector, at * this.#width);
    const nearest = strangers.map((one) => Math.max(...this.#nearnessTo(one)));
    const mean = nearest.reduce((sum, one) => sum + one, 0) / nearest.length;
    this.#strange = { mean, most: Math.max(...nearest, mean + LEAST_SPREAD) };
  }

  /** @returns the places of the nearest sections, the nearest first, and how near one is: 1 is as near as a question about something else can be. */
  search(query: Float32Array): { ranked: number[]; near(at: number): number } {
    const nearness = this.#nearnessTo(query);
    const least = nearness.toSorted().at(-MAX_RANKED) ?? -1;
    const ranked = [...nearness.keys()]
      .filter((at) => nearness[at]! >= least)
      .toSorted((one, other) => nearness[other]! - nearness[one]!);
    const { mean, most } = this.#strange;
    return { ranked, near: (at) => (nearness[at]! - mean) / (most - mean) };
  }

  /** Five megabytes are some 6,000 sections: comparing all of them takes a few milliseconds, so no index is kept. */
  #nearnessTo(query: Float32Array): Float32Array {
    const [numbers, width] = [this.#numbers, this.#width];
    const nearness = new Float32Array(numbers.length / width);
    for (let at = 0; at < nearness.length; at += 1) {
      let sum = 0;
      const start = at * width;
      for (let index = 0; index < width; index += 1) sum += numbers[start + index]! * query[index]!;
      nearness[at] = sum;
    }
    return nearness;
  }
}

/** Farther down, a section has no part in the first four. */
const MAX_RANKED = 100;
/** So that questions which are all equally far do not make anything near. */
const LEAST_SPREAD = 0.01;
