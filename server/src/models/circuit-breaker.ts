import type { Clock } from "#platform";
import { ModelAway, ModelRefused } from "./model-errors.ts";

/** The number of failures in a row after which the circuit breaker opens, and how long it stays open. */
const FAILURES_TO_OPEN = 3;
const OPEN_MS = 5_000;

/**
 * A circuit breaker that stops requests to a provider that is away: after three failures in a row none is sent for five
 * seconds, then one goes through as a probe. Otherwise every caller would wait for the time-out of a
 * request that cannot succeed.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  #failures = 0;
  #openUntilMs = 0;
  #probing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True while no request may be sent. */
  isOpen(): boolean {
    return (
      this.#failures >= FAILURES_TO_OPEN &&
      (this.#probing || this.#clock.monotonicMs() < this.#openUntilMs)
    );
  }

  async guard<T>(ask: () => Promise<T>): Promise<T> {
    if (this.isOpen()) throw new ModelAway("was away a moment ago", { isUnbilled: true });
    const isProbe = this.#failures >= FAILURES_TO_OPEN;
    this.#probing = isProbe;
    try {
      const answer = await ask();
      this.#failures = 0;
      return answer;
    } catch (error) {
      if (error instanceof ModelAway) this.#failed(error);
      // A refusal is an answer. A request that we aborted says nothing about the provider.
      else if (error instanceof ModelRefused) this.#failures = 0;
      throw error;
    } finally {
      if (isProbe) this.#probing = false;
    }
  }

  #failed({ retryAfterMs }: ModelAway): void {
    this.#failures += 1;
    this.#openUntilMs = this.#clock.monotonicMs() + Math.max(retryAfterMs ?? 0, OPEN_MS);
  }
}
