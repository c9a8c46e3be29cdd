import type { Clock } from "#platform";
import type { Account } from "./fair-slots.ts";
import { ModelAway, ModelBusy, ModelRefused } from "./model-errors.ts";

/** The number of failures in a row after which the circuit breaker opens, and how long it stays open. */
const FAILURES_TO_OPEN = 3;
const OPEN_MS = 5_000;
/** The pause after a provider was busy and did not say for how long: doubled each time, up to the maximum. */
const PAUSE_MS = { first: 500, max: 8_000 };
/** Some providers ask for no pause at all: without one, a request would be repeated as fast as they refuse it. */
const SHORTEST_PAUSE_MS = 250;

/**
 * A circuit breaker that stops requests to a provider that is away: after three failures in a row none is sent for five
 * seconds, then one goes through as a probe. Otherwise every caller would wait for the time-out of a
 * request that cannot succeed.
 *
 * A provider that is busy is not away: nothing is sent for as long as it asks, and it does not count as a failure.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  #failures = 0;
  #openUntilMs = 0;
  #probing = false;
  #timesBusy = 0;
  #busyUntilMs = 0;
  #failedAtMs = -Infinity;

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

  /** The time of the last failure. */
  get failedAtMs(): number {
    return this.#failedAtMs;
  }

  /** The rest of the pause that a busy provider has asked for. */
  get busyForMs(): number {
    return Math.max(0, this.#busyUntilMs - this.#clock.monotonicMs());
  }

  async guard<T>(ask: () => Promise<T>): Promise<T> {
    if (this.isOpen()) throw new ModelAway("was away a moment ago", { isUnbilled: true });
    if (this.busyForMs > 0) {
      const retryAfterMs = this.busyForMs;
      throw new ModelBusy("was busy a moment ago", { retryAfterMs, isUnbilled: true });
    }
    const isProbe = this.#failures >= FAILURES_TO_OPEN;
    this.#probing = isProbe;
    try {
      const answer = await ask();
      this.#failures = 0;
      this.#timesBusy = 0;
      return answer;
    } catch (error) {
      if (error instanceof ModelBusy) this.#pause(error);
      else if (error instanceof ModelAway) this.#failed(error);
      // A refusal is an answer. A request that we aborted says nothing about the provider.
      else if (error instanceof ModelRefused) this.#failures = 0;
      throw error;
    } finally {
      if (isProbe) this.#probing = false;
    }
  }

  #pause({ retryAfterMs }: ModelBusy): void {
    // A provider refuses many requests in the same moment: if each doubled the pause, four would make it eight seconds.
    if (retryAfterMs === undefined && this.busyForMs > 0) return;
    const pauseMs = Math.min(PAUSE_MS.first * 2 ** this.#timesBusy, PAUSE_MS.max);
    this.#timesBusy = Math.min(this.#timesBusy + 1, 10);
    const askedMs = Math.max(retryAfterMs ?? pauseMs, SHORTEST_PAUSE_MS);
    const untilMs = this.#clock.monotonicMs() + askedMs;
    this.#busyUntilMs = Math.max(this.#busyUntilMs, untilMs);
  }

  #failed({ retryAfterMs }: ModelAway): void {
    this.#failures += 1;
    this.#failedAtMs = this.#clock.monotonicMs();
    this.#openUntilMs = this.#failedAtMs + Math.max(retryAfterMs ?? 0, OPEN_MS);
  }
}

/** What a circuit breaker does for a caller. */
export type Breaker = Pick<CircuitBreaker, "isOpen" | "guard">;

/** Of an account that is forgotten, only its failures of the last seconds are. */
const MOST_ACCOUNTS = 1_000;

/** The circuit breakers of one provider, one for each account: what one account's requests meet must not stop another's. */
export class AccountBreakers {
  readonly #clock: Clock;
  /** Those that were asked last are last. */
  readonly #breakers = new Map<Account, CircuitBreaker>();
  #answeredAtMs = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * True while the provider seems to be away for everybody: two accounts get no answer, or the only one there is, and
   * nobody else has had one since.
   */
  isOpen(): boolean {
    const open = [...this.#breakers.values()].filter(
      (one) => one.isOpen() && one.failedAtMs >= this.#answeredAtMs,
    );
    return open.length > 0 && open.length >= Math.min(2, this.#breakers.size);
  }

  of(account: Account): CircuitBreaker {
    const breaker = this.#breakers.get(account) ?? new CircuitBreaker(this.#clock);
    this.#breakers.delete(account);
    this.#breakers.set(account, breaker);
    const [oldest] = this.#breakers.keys();
    if (this.#breakers.size > MOST_ACCOUNTS) this.#breakers.delete(oldest);
    return breaker;
  }

  /** The breaker of one account, whose answers also count for everybody. */
  forAccount(account: Account): Breaker {
    return {
      isOpen: () => this.of(account).isOpen(),
      guard: (ask) => this.guard(account, ask),
    };
  }

  async guard<T>(account: Account, ask: () => Promise<T>): Promise<T> {
    const answer = await this.of(account).guard(ask);
    this.#answeredAtMs = this.#clock.monotonicMs();
    return answer;
  }
}
