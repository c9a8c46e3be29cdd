import type { MemoryBudget } from "#platform";
import { POSITION_WIDTH } from "./export-store.ts";
import type { ExportPosition, ExportRequest } from "./export-store.ts";

const { stamp: STAMP, id: ID } = POSITION_WIDTH;
/** A typical session, so that a page seldom has to grow. */
const BYTES_PER_SESSION = 8_192;

/** Puts the rows of one page together, byte by byte as PostgreSQL sent them. */
export class ExportBody {
  readonly #request: ExportRequest;
  readonly #budget: MemoryBudget;
  readonly #idle: IdlePages;
  #bytes: Buffer;
  #length = 0;
  #first = true;
  last: ExportPosition | undefined;

  constructor(request: ExportRequest, budget: MemoryBudget, idle: IdlePages) {
    this.#request = request;
    this.#budget = budget;
    this.#idle = idle;
    const capacity = 1_024 + request.limit * BYTES_PER_SESSION;
    const kept = idle.take(request.accountId, capacity);
    budget.take(kept?.length ?? capacity, 0);
    this.#bytes = kept ?? Buffer.allocUnsafeSlow(capacity);
    this.#text(request.format === "json" ? '{"items":[' : `${request.fields.join(",")}\r\n`);
  }

  add(row: Buffer): void {
    if (this.#request.format === "json") this.#addJson(row);
    else this.#addCsv(row);
    this.#first = false;
  }

  /** Binary COPY: a header of 19 bytes before the first row; per row the number of cells, then length and bytes of each. Our one cell is `stamp id ,"key":value…`. */
  #addJson(row: Buffer): void {
    const start = this.#first ? 19 : 0;
    if (start === row.length || row.readInt16BE(start) === -1) return;
    const cell = row.subarray(start + 6);
    this.#text(this.last === undefined ? "{" : ",{");
    this.#remember(cell, cell.subarray(STAMP));
    this.#copy(cell.subarray(STAMP + ID + 1));
    this.#text("}");
  }

  /** CSV COPY: `stamp,id,cells…` and a line feed. */
  #addCsv(row: Buffer): void {
    this.#remember(row, row.subarray(STAMP + 1));
    this.#copy(row.subarray(STAMP + 1 + ID + 1, -1));
    this.#text("\r\n");
  }

  finish(): Buffer {
    if (this.#request.format === "json") this.#text("]}");
    return this.#bytes.subarray(0, this.#length);
  }

  /** The page is sent: its memory is free for the account's next one. */
  release(): void {
    if (this.#bytes.length > 0) this.#idle.keep(this.#request.accountId, this.#bytes);
    this.discard();
  }

  /** The page failed: who still writes into its memory writes into nobody else's. */
  discard(): void {
    this.#budget.giveBack(this.#bytes.length);
    this.#bytes = Buffer.alloc(0);
  }

  #remember(stamp: Buffer, id: Buffer): void {
    this.last = { at: stamp.toString("latin1", 0, STAMP), id: id.toString("latin1", 0, ID) };
  }

  #copy(bytes: Buffer): void {
    this.#reserve(bytes.length);
    this.#length += bytes.copy(this.#bytes, this.#length);
  }

  #text(text: string): void {
    this.#reserve(text.length);
    this.#length += this.#bytes.write(text, this.#length, "latin1");
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const capacity = Math.max(needed, this.#bytes.length * 2);
    this.#budget.take(capacity - this.#bytes.length, this.#bytes.length);
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

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
