import type { Clock } from "#platform";

/** Tells when the longest conversation is nearly over, and when it is. */
export class TimeWatch {
  readonly #clock: Clock;
  readonly #endsAtMs: number;
  readonly #timers: NodeJS.Timeout[];

  constructor(options: {
    clock: Clock;
    leftMs: number;
    warnBeforeMs: number;
    onWarning: (leftMs: number) => void;
    onEnd: () => void;
  }) {
    const { clock, leftMs, warnBeforeMs, onWarning, onEnd } = options;
    this.#clock = clock;
    this.#endsAtMs = clock.monotonicMs() + leftMs;
    this.#timers = [setTimeout(onEnd, leftMs)];
    if (leftMs > warnBeforeMs) {
      this.#timers.push(setTimeout(() => onWarning(warnBeforeMs), leftMs - warnBeforeMs));
    }
  }

  get secondsLeft(): number {
    return Math.max(0, Math.ceil((this.#endsAtMs - this.#clock.monotonicMs()) / 1_000));
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
