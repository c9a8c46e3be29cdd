/** Tells when nobody has done anything for a while: first a warning, then the end. */
export class IdleWatch {
  readonly #options: IdleWatchOptions;
  #quiet = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleWatchOptions) {
    this.#options = options;
  }

  /** Whether it is the visitor's turn, and nothing excuses their silence. */
  setQuiet(quiet: boolean): void {
    if (quiet === this.#quiet) return;
    this.#quiet = quiet;
    this.acted();
  }

  /** The visitor did something: the count begins anew. */
  acted(): void {
    const { warnAfterMs, endAfterMs, onWarning, onEnd } = this.#options;
    clearTimeout(this.#timer);
    if (!this.#quiet) return;
    this.#timer = setTimeout(() => {
      const leftMs = endAfterMs - warnAfterMs;
      this.#timer = setTimeout(onEnd, leftMs);
      onWarning(leftMs);
    }, warnAfterMs);
  }

  stop(): void {
    this.setQuiet(false);
  }
}

export interface IdleWatchOptions {
  warnAfterMs: number;
  endAfterMs: number;
  onWarning: (leftMs: number) => void;
  onEnd: () => void;
}
