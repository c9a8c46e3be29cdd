import type { Clock } from "#platform";

/** A rate limit: one token bucket per key. Full buckets are forgotten, so the table holds only keys with recent requests. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string | number, { tokens: number; atMs: number }>();

  constructor(perSecond: number, burst: number, clock: Clock) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** Takes one token. Returns 0, or the seconds to wait before the next attempt. */
  take(key: string | number): number {
    const bucket = this.#refilled(key);
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return 0;
    }
    return Math.max(1, Math.ceil((1 - bucket.tokens) / this.#perSecond));
  }

  #refilled(key: string | number): { tokens: number; atMs: number } {
    const nowMs = this.#clock.monotonicMs();
    const known = this.#buckets.get(key);
    if (known === undefined) {
      if (this.#buckets.size >= MAX_BUCKETS) this.#forgetFull(nowMs);
      const fresh = { tokens: this.#burst, atMs: nowMs };
      this.#buckets.set(key, fresh);
      return fresh;
    }
    known.tokens = Math.min(
      this.#burst,
      known.tokens + ((nowMs - known.atMs) / 1_000) * this.#perSecond,
    );
    known.atMs = nowMs;
    return known;
  }

  /** Forgets full buckets; if none is full, all of them: the rate limit is lenient for a moment, and the table stays bounded. */
  #forgetFull(nowMs: number): void {
    const fullAfterMs = (this.#burst / this.#perSecond) * 1_000;
    for (const [key, bucket] of this.#buckets) {
      if (nowMs - bucket.atMs >= fullAfterMs) this.#buckets.delete(key);
    }
    if (this.#buckets.size >= MAX_BUCKETS) this.#buckets.clear();
  }
}

const MAX_BUCKETS = 10_000;
