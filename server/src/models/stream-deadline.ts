export interface StreamLimits {
  /** From the request to the first token. */
  firstTokenMs: number;
  /** From one token to the next. */
  idleMs: number;
  /** For the whole answer. */
  wholeMs: number;
}

/** Aborts a streamed answer that stops arriving, or never ends. */
export class StreamDeadline {
  /** Aborts the request when the deadline passes, or when the caller's signal does. */
  readonly signal: AbortSignal;
  readonly #idleMs: number;
  readonly #passed = new AbortController();
  readonly #whole: NodeJS.Timeout;
  #next: NodeJS.Timeout;

  constructor({ firstTokenMs, idleMs, wholeMs }: StreamLimits, signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#passed.signal]);
    this.#idleMs = idleMs;
    this.#whole = setTimeout(() => this.#passed.abort(), wholeMs);
    this.#next = setTimeout(() => this.#passed.abort(), firstTokenMs);
  }

  /** True when the answer took too long, false when only the caller gave it up. */
  get hasPassed(): boolean {
    return this.#passed.signal.aborted;
  }

  /** A token has arrived. */
  renew(): void {
    clearTimeout(this.#next);
    this.#next = setTimeout(() => this.#passed.abort(), this.#idleMs);
  }

  end(): void {
    clearTimeout(this.#next);
    clearTimeout(this.#whole);
  }
}
