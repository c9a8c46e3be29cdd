import { AppError } from "./app-error.ts";

/**
 * Bounds the memory that all pages which are being made or sent hold together. Without it, slow
 * readers of large pages would exhaust the process.
 */
export class MemoryBudget {
  readonly #limitBytes: number;
  #takenBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** `ownBytes` is what the asking page holds already. A page that is alone is never refused: otherwise a very large one could not be read at all. */
  take(bytes: number, ownBytes: number): void {
    const alone = this.#takenBytes === ownBytes;
    if (!alone && this.#takenBytes + bytes > this.#limitBytes) {
      throw new AppError("unavailable", {
        what: "This page cannot be made right now.",
        why: "Too many large pages are being read at once.",
        fix: "Try again in a moment, or ask for fewer fields.",
      });
    }
    this.#takenBytes += bytes;
  }

  giveBack(bytes: number): void {
    this.#takenBytes -= bytes;
  }

  get takenBytes(): number {
    return this.#takenBytes;
  }
}
