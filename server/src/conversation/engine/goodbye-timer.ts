/** How long a visitor may object to the agent's goodbye before the session ends. With a card open, it waits for them. */
const GRACE_MS = { voice: 2_500, text: 8_000, card: 60_000 };

/** Ends a conversation a moment after its goodbye, unless the visitor goes on. */
export class GoodbyeTimer {
  readonly #onEnd: () => void;
  readonly #graceMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param graceMs in place of all the usual ones. */
  constructor(onEnd: () => void, graceMs?: number) {
    this.#onEnd = onEnd;
    this.#graceMs = graceMs;
  }

  get isArmed(): boolean {
    return this.#timer !== undefined;
  }

  arm(situation: keyof typeof GRACE_MS): void {
    this.disarm();
    const graceMs = this.#graceMs ?? GRACE_MS[situation];
    if (graceMs === 0) return this.#onEnd();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#onEnd();
    }, graceMs);
  }

  disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
