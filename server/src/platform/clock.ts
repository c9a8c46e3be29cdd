/**
 * Time for modules. What is stored and compared across processes comes from PostgreSQL's clock
 * instead: two machines never agree on the time, one database always agrees with itself.
 */
export interface Clock {
  /** Milliseconds since the epoch. May jump. */
  nowMs(): number;
  /** Milliseconds since some fixed moment. Never goes back: the one for deadlines and gaps. */
  monotonicMs(): number;
  /** The latest time that may be stored as a session's start; undefined while nothing is known. */
  latestMs?(): number | undefined;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** A clock that differs by more has jumped. */
export const MAX_JUMP_MS = 60_000;
/** A machine that slept: its clocks agree with each other, and its steady clock stood still. */
const MAX_SLEEP_MS = 86_400_000;

/**
 * Compares the database's clock with this process's, and with what its own earlier readings lead to
 * expect. A start that is stored a year ahead would keep every later one of its account there: starts
 * never go back. So `latestMs` follows the steady clock past a jump.
 */
export class WatchedClock implements Clock {
  readonly #clock: Clock;
  readonly #onJump: (jump: ClockJump | undefined) => void;
  #trusted: { databaseMs: number; atMs: number } | undefined;
  #isJumped = false;
  /** How far the database's clock is ahead, in seconds. */
  ahead: { ofProcess: number; ofExpected: number } = { ofProcess: 0, ofExpected: 0 };

  /** @param onJump told when clocks begin to differ, and when they agree again */
  constructor(clock: Clock, onJump: (jump: ClockJump | undefined) => void) {
    this.#clock = clock;
    this.#onJump = onJump;
  }

  nowMs(): number {
    return this.#clock.nowMs();
  }

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  latestMs(): number | undefined {
    return this.#trusted && this.#expectedMs(this.#trusted) + MAX_JUMP_MS;
  }

  /** @param databaseMs what the database's clock shows now */
  compare(databaseMs: number): void {
    const ofProcessMs = databaseMs - this.#clock.nowMs();
    const ofExpectedMs = this.#trusted ? databaseMs - this.#expectedMs(this.#trusted) : 0;
    const slept = isNear(ofProcessMs) && Math.abs(ofExpectedMs) <= MAX_SLEEP_MS;
    if (isNear(ofExpectedMs) || slept) {
      this.#trusted = { databaseMs, atMs: this.#clock.monotonicMs() };
    }
    this.ahead = { ofProcess: ofProcessMs / 1_000, ofExpected: ofExpectedMs / 1_000 };
    const isJumped = !isNear(ofProcessMs) || !(isNear(ofExpectedMs) || slept);
    if (isJumped === this.#isJumped) return;
    this.#isJumped = isJumped;
    this.#onJump(
      isJumped
        ? { aheadOfProcessSecs: ofProcessMs / 1_000, aheadOfExpectedSecs: ofExpectedMs / 1_000 }
        : undefined,
    );
  }

  #expectedMs({ databaseMs, atMs }: { databaseMs: number; atMs: number }): number {
    return databaseMs + (this.#clock.monotonicMs() - atMs);
  }
}

/** How far the database's clock is ahead of this process's, and of what was expected. */
export interface ClockJump {
  aheadOfProcessSecs: number;
  aheadOfExpectedSecs: number;
}

function isNear(differenceMs: number): boolean {
  return Math.abs(differenceMs) <= MAX_JUMP_MS;
}
