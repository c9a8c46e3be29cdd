/** What happens when the visitor has done nothing for so long after the step before. */
export interface IdleStep {
  afterMs: number;
  act: () => void;
}

/** Counts the time in which nobody does anything, and takes one step after another. */
export class IdleWatch {
  readonly #steps: readonly IdleStep[];
  #next = 0;
  #quiet = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(steps: readonly IdleStep[]) {
    this.#steps = steps;
  }

  /** Whether it is the visitor's turn, and nothing excuses their silence. A step that was taken stays taken. */
  setQuiet(quiet: boolean): void {
    if (quiet === this.#quiet) return;
    this.#quiet = quiet;
    this.#wait();
  }

  /** The visitor did something: the first step is next. */
  acted(): void {
    this.#next = 0;
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const step = this.#steps[this.#next];
    if (!this.#quiet || step === undefined) return;
    this.#timer = setTimeout(() => {
      this.#next += 1;
      this.#wait();
      step.act();
    }, step.afterMs);
  }
}
