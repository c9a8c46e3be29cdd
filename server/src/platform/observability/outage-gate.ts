/**
 * Keeps an outage from flooding the log: it is logged when it begins, and when it has ended with how
 * long it lasted and how many lines were left out. Without it, everything that a process does in the
 * background fails several times a second while the database restarts.
 */
export class OutageGate {
  readonly #options: OutageGateOptions;
  #outage: { beganMs: number; lastMs: number; leftOut: Map<string, number> } | undefined;
  #ending: NodeJS.Timeout | undefined;

  constructor(options: OutageGateOptions) {
    this.#options = options;
  }

  /**
   * What to do with a line about `error`: `print` it, print it as the line that an outage `begins` with,
   * or `leave out` one more line of an outage that is known.
   */
  judge(error: unknown, message: string): "print" | "begins" | "leave out" {
    if (!causes(error).some((one) => this.#options.isOutage(one))) return "print";
    const nowMs = performance.now();
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => this.#end(), QUIET_MS).unref();
    if (this.#outage === undefined) {
      this.#outage = { beganMs: nowMs, lastMs: nowMs, leftOut: new Map() };
      return "begins";
    }
    this.#outage.lastMs = nowMs;
    this.#outage.leftOut.set(message, (this.#outage.leftOut.get(message) ?? 0) + 1);
    return "leave out";
  }

  #end(): void {
    if (this.#outage === undefined) return;
    const { beganMs, lastMs, leftOut } = this.#outage;
    this.#outage = undefined;
    this.#options.onEnd({
      secs: Math.round((lastMs - beganMs) / 100) / 10,
      leftOut: [...leftOut.values()].reduce((sum, count) => sum + count, 0),
      messages: Object.fromEntries(leftOut),
    });
  }
}

export interface OutageGateOptions {
  /** Whether an error means that what the process depends on is away. */
  isOutage(error: unknown): boolean;
  onEnd(outage: { secs: number; leftOut: number; messages: Record<string, number> }): void;
}

/**
 * An outage is over when nothing has failed for this long. A query of a database that is frozen fails
 * after eleven seconds, and every process has one under way.
 */
const QUIET_MS = 15_000;

/** The error, and what caused it. */
function causes(error: unknown): unknown[] {
  return error instanceof Error && error.cause !== undefined
    ? [error, ...causes(error.cause)]
    : [error];
}
