import type { Clock } from "#platform";

/** A person makes a few messages a second, and their browser as many. */
const MESSAGES = { perSecond: 50, burst: 200 };
/** A microphone makes a second of sound in a second. After a stall, what waited arrives at once. */
const SOUND_MS = { perSecond: 1_100, burst: 20_000 };
/** A frame costs work, however short it is. */
const SHORTEST_SOUND_MS = 20;
/** 16 kHz, 16 bit. */
const BYTES_PER_MS = 32;

/** What a socket may still send: messages by their number, sound by its length. */
export class FrameBudget {
  readonly #messages: Bucket;
  readonly #soundMs: Bucket;

  constructor(clock: Clock) {
    this.#messages = new Bucket(clock, MESSAGES);
    this.#soundMs = new Bucket(clock, SOUND_MS);
  }

  /** False when there is none left. */
  takeMessage(): boolean {
    return this.#messages.take(1);
  }

  takeSound(bytes: number): boolean {
    return this.#soundMs.take(Math.max(SHORTEST_SOUND_MS, bytes / BYTES_PER_MS));
  }
}

/** Refills steadily. */
class Bucket {
  readonly #clock: Clock;
  readonly #size: { perSecond: number; burst: number };
  #left: number;
  #atMs: number;

  constructor(clock: Clock, size: { perSecond: number; burst: number }) {
    this.#clock = clock;
    this.#size = size;
    this.#left = size.burst;
    this.#atMs = clock.monotonicMs();
  }

  take(amount: number): boolean {
    const { perSecond, burst } = this.#size;
    const nowMs = this.#clock.monotonicMs();
    this.#left = Math.min(burst, this.#left + ((nowMs - this.#atMs) / 1_000) * perSecond);
    this.#atMs = nowMs;
    if (this.#left < amount) return false;
    this.#left -= amount;
    return true;
  }
}
