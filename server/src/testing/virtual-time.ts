import type { Clock } from "#platform";

/** Time that passes as fast as what is due can be done. */
export class VirtualTime {
  #nowMs = 0;
  /** The next one last. */
  readonly #due: { atMs: number; run: () => void }[] = [];

  readonly clock: Clock = { nowMs: () => this.#nowMs, monotonicMs: () => this.#nowMs };

  get nowMs(): number {
    return this.#nowMs;
  }

  /** In the order of time; at the same time, first come, first served. Returns what takes it back. */
  readonly after = (ms: number, run: () => void): (() => void) => {
    const one = { atMs: this.#nowMs + Math.max(0, ms), run };
    let place = this.#due.length;
    while (place > 0 && this.#due[place - 1]!.atMs <= one.atMs) place -= 1;
    this.#due.splice(place, 0, one);
    return () => void (one.run = nothing);
  };

  /** Lets time pass until it is so, at most that long. False when it never was. */
  passUntil(isSo: () => boolean, mostMs: number): boolean {
    const endMs = this.#nowMs + mostMs;
    while (!isSo()) {
      const next = this.#due.at(-1);
      if (next === undefined || next.atMs > endMs) return false;
      this.#due.pop();
      this.#nowMs = next.atMs;
      next.run();
    }
    return true;
  }
}

function nothing(): void {}
