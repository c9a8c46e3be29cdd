import type { Clock } from "#platform";

/** A visitor and their browser send a few messages a second each. */
const MESSAGES = { perSecond: 50, burst: 200 };
/** A microphone records a second of sound per second. After a network stall, the sound that waited arrives at once. */
const SOUND_MS = { perSecond: 1_100, burst: 20_000 };
/** For a session, over all its sockets: a browser that comes back sends again what it is not sure of, up to 15 s of sound. */
export const SESSION_BURSTS = { messages: 400, soundMs: 60_000 };
/** A frame counts as at least this long, because even an empty one costs work. */
const MIN_SOUND_MS = 20;
/** 16 kHz, 16 bit. */
const BYTES_PER_MS = 32;

/** The rate limit of a visitor's socket, or of all sockets of a session: messages by number, sound by length. Beyond it the socket is closed. */
export class FrameRateLimit {
  readonly #messages: Bucket;
  readonly #soundMs: Bucket;

  constructor(
    clock: Clock,
    bursts: { messages: number; soundMs: number } = {
      messages: MESSAGES.burst,
      soundMs: SOUND_MS.burst,
    },
  ) {
    this.#messages = new Bucket(clock, { ...MESSAGES, burst: bursts.messages });
    this.#soundMs = new Bucket(clock, { ...SOUND_MS, burst: bursts.soundMs });
  }

  /** False when the rate limit is exceeded. */
  takeMessage(): boolean {
    return this.#messages.take(1);
  }

  takeSound(bytes: number): boolean {
    return this.#soundMs.take(Math.max(MIN_SOUND_MS, bytes / BYTES_PER_MS));
  }
}

/** A token bucket that refills steadily. */
export class Bucket {
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
