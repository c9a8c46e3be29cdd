export interface StreamLimits {
  /** From the request to the first word. */
  firstTokenMs: number;
  /** From one chunk to the next, with or without a word in it. */
  idleMs: number;
  /** For the whole answer. */
  wholeMs: number;
  /** True where a fallback waits: a model that has not said a word in time is given up, though it still sends chunks. */
  isFirstTokenFirm?: boolean;
}

/** Aborts a streamed answer that stops arriving, or never ends. */
export class StreamDeadline {
  /** Aborts the request when the deadline passes, when the caller's signal does, and at the end. */
  readonly signal: AbortSignal;
  readonly #limits: StreamLimits;
  readonly #passed = new AbortController();
  readonly #ended = new AbortController();
  readonly #whole: NodeJS.Timeout;
  readonly #first: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;
  #hasWord = false;
  /** The wait for the first word is over, because it came or because it did not. */
  #isFirstOver = false;

  constructor(limits: StreamLimits, signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#passed.signal, this.#ended.signal]);
    this.#limits = limits;
    this.#whole = setTimeout(() => this.#passed.abort(), limits.wholeMs);
    this.#first = setTimeout(() => {
      this.#isFirstOver = true;
      if (this.#idle === undefined) this.#passed.abort();
    }, limits.firstTokenMs);
  }

  /** True when the answer took too long, false when only the caller gave it up. */
  get hasPassed(): boolean {
    return this.#passed.signal.aborted;
  }

  /** A word has arrived. */
  word(): void {
    clearTimeout(this.#first);
    this.#hasWord = true;
    this.#isFirstOver = true;
    this.#wait();
  }

  /** Anything else has arrived: a thought, an empty chunk, a comment that keeps the connection open. */
  sign(): void {
    if (this.#hasWord || this.#limits.isFirstTokenFirm !== true) this.#wait();
  }

  /** Also closes the connection, where the answer was not read to its end. */
  end(): void {
    clearTimeout(this.#first);
    clearTimeout(this.#idle);
    clearTimeout(this.#whole);
    this.#ended.abort();
  }

  #wait(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.#idle = undefined;
      // Servers send an empty chunk before they read the prompt: it must not shorten the wait for the first word.
      if (this.#isFirstOver) this.#passed.abort();
    }, this.#limits.idleMs);
  }
}
