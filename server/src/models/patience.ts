export interface PatienceLimits {
  /** From the request to the first token. */
  firstTokenMs: number;
  /** From one token to the next. */
  idleMs: number;
  /** For all of them. */
  wholeMs: number;
}

/** Gives a streamed answer up when it stops coming, or never ends. */
export class Patience {
  /** Aborts the request: ours, or because nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly #idleMs: number;
  readonly #lost = new AbortController();
  readonly #whole: NodeJS.Timeout;
  #next: NodeJS.Timeout;

  constructor({ firstTokenMs, idleMs, wholeMs }: PatienceLimits, signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#lost.signal]);
    this.#idleMs = idleMs;
    this.#whole = setTimeout(() => this.#lost.abort(), wholeMs);
    this.#next = setTimeout(() => this.#lost.abort(), firstTokenMs);
  }

  /** True when the answer took too long, false when it was we who gave it up. */
  get isLost(): boolean {
    return this.#lost.signal.aborted;
  }

  /** A token has come. */
  renew(): void {
    clearTimeout(this.#next);
    this.#next = setTimeout(() => this.#lost.abort(), this.#idleMs);
  }

  end(): void {
    clearTimeout(this.#next);
    clearTimeout(this.#whole);
  }
}
