import type { Clock } from "#platform";

/** Reports come four times a second: a browser that owes several of them may not be playing. */
const MAX_UNREPORTED_MS = 1_000;

/** How far the browser has played: what it said last, and from there by the clock. */
export class PlayHead {
  readonly #clock: Clock;
  #reportedMs = 0;
  /** Where it was at a moment, and that moment while it moves. */
  #fromMs = 0;
  #sinceMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The furthest that the browser has told of. */
  get reportedMs(): number {
    return this.#reportedMs;
  }

  get estimateMs(): number {
    const movedMs = this.#sinceMs === undefined ? 0 : this.#clock.monotonicMs() - this.#sinceMs;
    return Math.min(this.#fromMs + movedMs, this.#reportedMs + MAX_UNREPORTED_MS);
  }

  /** Whether the estimate still moves without another report. */
  get moves(): boolean {
    return this.#sinceMs !== undefined && this.estimateMs < this.#reportedMs + MAX_UNREPORTED_MS;
  }

  report(positionMs: number, isPlaying: boolean): void {
    this.#reportedMs = Math.max(this.#reportedMs, positionMs);
    this.#fromMs = this.#reportedMs;
    this.#sinceMs = isPlaying ? this.#clock.monotonicMs() : undefined;
  }

  /** All that the browser has. One that ran dry plays on when more comes, not before. */
  limitTo(sentMs: number): void {
    if (this.estimateMs < sentMs) return;
    this.#fromMs = sentMs;
    if (this.#sinceMs !== undefined) this.#sinceMs = this.#clock.monotonicMs();
  }

  /** Stands still until the next report, or until it is let go on. */
  stop(): void {
    this.#fromMs = this.estimateMs;
    this.#sinceMs = undefined;
  }

  goOn(): void {
    this.#sinceMs = this.#clock.monotonicMs();
  }
}
