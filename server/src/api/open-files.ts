import { MemoryBudget } from "#platform";
import { readShownFile } from "#agents";
import type { StoredFile } from "#agents";
import type { Db } from "#platform";

/** Files that are read or sent at the same time may take as much together. */
const MOST_BYTES = 256_000_000;

/**
 * The files that are being sent, each in memory once, however many read it. Without a bound, slow
 * readers of large ones would exhaust the process.
 */
export class OpenFiles {
  readonly #db: Db;
  readonly #memory: MemoryBudget;
  readonly #open = new Map<string, { bytes: Promise<Buffer>; readers: number }>();

  constructor(db: Db, mostBytes: number = MOST_BYTES) {
    this.#db = db;
    this.#memory = new MemoryBudget(mostBytes);
  }

  async open(file: StoredFile): Promise<{ bytes: Buffer; close: () => void }> {
    const known = this.#open.get(file.sha256);
    if (known === undefined) this.#memory.take(file.size, 0);
    const opened = known ?? { bytes: readShownFile(this.#db, file), readers: 0 };
    this.#open.set(file.sha256, opened);
    opened.readers += 1;
    const close = (): void => {
      opened.readers -= 1;
      if (opened.readers > 0) return;
      this.#open.delete(file.sha256);
      this.#memory.giveBack(file.size);
    };
    try {
      return { bytes: await opened.bytes, close };
    } catch (error) {
      close();
      throw error;
    }
  }
}
