import type { Clock } from "#platform";

/** Reports come ten times a second: a browser that owes several of them may not be playing. */
const MAX_UNREPORTED_MS = 1_000;

/** The browser's playback position: its last report, extrapolated by the clock. */
export class PlayHead {
  readonly #clock: Clock;
  #reportedMs = 0;
  /** A known position, and the time since which playback moves from it; undefined while it stands still. */
  #fromMs = 0;
  #sinceMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The furthest position that the browser has reported. */
  get reportedMs(): number {
    return this.#reportedMs;
  }

  get estimateMs(): number {
    const movedMs = this.#sinceMs === undefined ? 0 : this.#clock.monotonicMs() - this.#sinceMs;
    return Math.min(this.#fromMs + movedMs, this.#reportedMs + MAX_UNREPORTED_MS);
  }

  /** True while the estimate still moves without another report. */
  get moves(): boolean {
    return this.#sinceMs !== undefined && this.estimateMs < this.#reportedMs + MAX_UNREPORTED_MS;
  }

  report(positionMs: number, isPlaying: boolean): void {
    this.#reportedMs = Math.max(this.#reportedMs, positionMs);
    this.#fromMs = this.#reportedMs;
    this.#sinceMs = isPlaying ? this.#clock.monotonicMs() : undefined;
  }

  /** Caps the estimate at the sound that was sent: a browser whose buffer is empty plays on only when more arrives. */
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
