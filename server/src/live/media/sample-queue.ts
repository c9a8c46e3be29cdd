/** Sound that waits: it comes in pieces of one size and goes in pieces of another. */
export class SampleQueue {
  #pieces: Int16Array[] = [];
  /** How much of the first piece is gone already. */
  #taken = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(samples: Int16Array): void {
    if (samples.length === 0) return;
    this.#pieces.push(samples);
    this.#length += samples.length;
  }

  /** Samples that were taken come first again. */
  putBack(pieces: readonly Int16Array[]): void {
    const [first, ...others] = this.#pieces;
    const rest = first === undefined ? [] : [first.subarray(this.#taken), ...others];
    this.#pieces = [...pieces, ...rest];
    this.#taken = 0;
    this.#length = this.#pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** The next samples, at most `count`, in a buffer of their own. */
  take(count: number): Int16Array {
    const samples = new Int16Array(Math.min(count, this.#length));
    let filled = 0;
    while (filled < samples.length) {
      const piece = this.#pieces[0]!;
      const part = piece.subarray(this.#taken, this.#taken + samples.length - filled);
      samples.set(part, filled);
      filled += part.length;
      this.#taken += part.length;
      if (this.#taken < piece.length) continue;
      this.#pieces.shift();
      this.#taken = 0;
    }
    this.#length -= samples.length;
    return samples;
  }

  clear(): void {
    this.#pieces = [];
    this.#taken = 0;
    this.#length = 0;
  }
}
