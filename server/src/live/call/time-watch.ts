import type { Clock } from "#platform";

export interface TimeWatchOptions {
  clock: Clock;
  leftMs: number;
  warnBeforeMs: number;
  onWarning: (leftMs: number) => void;
  onEnd: () => void;
}

/** Tells when the longest conversation is nearly over, and when it is. */
export class TimeWatch {
  readonly #options: TimeWatchOptions;
  readonly #endsAtMs: number;
  #timers: NodeJS.Timeout[] = [];

  constructor(options: TimeWatchOptions) {
    this.#options = options;
    this.#endsAtMs = options.clock.monotonicMs() + options.leftMs;
  }

  /** Once whoever is told can do something about it. */
  start(): void {
    const { clock, warnBeforeMs, onWarning, onEnd } = this.#options;
    const leftMs = Math.max(0, this.#endsAtMs - clock.monotonicMs());
    this.#timers = [setTimeout(onEnd, leftMs)];
    if (leftMs > warnBeforeMs) {
      this.#timers.push(setTimeout(() => onWarning(warnBeforeMs), leftMs - warnBeforeMs));
    }
  }

  get secondsLeft(): number {
    return Math.max(0, Math.ceil((this.#endsAtMs - this.#options.clock.monotonicMs()) / 1_000));
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
