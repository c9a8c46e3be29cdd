import type { Clock } from "#platform";

/** A microphone makes 31 frames a second, and a person a few more. */
const PER_SECOND = 50;
/** After a stall everything that waited arrives at once. */
const BURST = 200;

/** How many frames a socket may still send: a bucket that refills steadily. */
export class FrameBudget {
  readonly #clock: Clock;
  #left = BURST;
  #atMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#atMs = clock.monotonicMs();
  }

  /** False when there is none left. */
  take(): boolean {
    const nowMs = this.#clock.monotonicMs();
    this.#left = Math.min(BURST, this.#left + ((nowMs - this.#atMs) / 1_000) * PER_SECOND);
    this.#atMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
