/** What idle buffers may take together, and how large one may be that is kept. */
const MOST_BYTES = 33_554_432;
const LARGEST_BYTES = 4_194_304;

/**
 * Keeps the buffers of pages that are sent for the next pages of the same account. Fresh ones for
 * every page were a third of what a page costs, most of it garbage collection. Never for another
 * account: a page given back too early by mistake could then show one customer's data to another.
 */
export class IdlePages {
  readonly #ofAccount = new Map<number, Buffer[]>();
  #bytes = 0;

  /** One that is large enough, if there is one. */
  take(accountId: number, bytes: number): Buffer | undefined {
    const idle = this.#ofAccount.get(accountId) ?? [];
    const index = idle.findIndex((buffer) => buffer.length >= bytes);
    if (index < 0) return undefined;
    const [buffer] = idle.splice(index, 1);
    this.#bytes -= buffer!.length;
    return buffer;
  }

  keep(accountId: number, buffer: Buffer): void {
    if (buffer.length > LARGEST_BYTES) return;
    if (this.#bytes + buffer.length > MOST_BYTES) {
      this.#ofAccount.clear();
      this.#bytes = 0;
    }
    this.#bytes += buffer.length;
    const idle = this.#ofAccount.get(accountId);
    if (idle === undefined) this.#ofAccount.set(accountId, [buffer]);
    else idle.push(buffer);
  }
}
