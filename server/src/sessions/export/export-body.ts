import type { MemoryBudget } from "#platform";
import { POSITION_WIDTH } from "./export-store.ts";
import type { ExportPosition, ExportRequest, WaitingRow } from "./export-store.ts";

const { stamp: STAMP, id: ID } = POSITION_WIDTH;
/** The size of a typical session, so that a page seldom has to grow. */
const BYTES_PER_SESSION = 8_192;
const ZERO = 48;
const NINE = 57;

/** Assembles the rows of one page, copying the bytes as PostgreSQL sent them: all at once, or part by part. */
export class ExportBody {
  readonly #request: ExportRequest;
  readonly #budget: MemoryBudget;
  readonly #idle: IdlePages;
  #bytes: Buffer;
  #length = 0;
  #isFirst = true;
  /** Rows in this part, and whether an earlier part has any: only the first of a page has no comma before it. */
  #rows = 0;
  #continues = false;
  last: ExportPosition | undefined;
  /** The rows at the page's end of which only the position came, because the page is large. */
  readonly waiting: WaitingRow[] = [];

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
    this.#isFirst = false;
  }

  /**
   * Binary COPY has a header of 19 bytes before the first row; each row has the number of cells,
   * then the length and the bytes of each. Our two cells are `stamp id` and `,"key":value…`.
   */
  #addJson(row: Buffer): void {
    const start = this.#isFirst ? 19 : 0;
    if (start === row.length || row.readInt16BE(start) === -1) return;
    const position = row.subarray(start + 6);
    const members = position.subarray(STAMP + ID + 4);
    this.#remember(position, position.subarray(STAMP));
    if (this.#isWaiting(members, members.length)) return;
    this.#text(this.#continues || this.#rows > 0 ? ",{" : "{");
    this.#copy(members.subarray(1));
    this.#text("}");
    this.#rows++;
  }

  /** CSV COPY sends `stamp,id,bytes,cells…` and a line feed; `bytes` is empty unless the row waits. */
  #addCsv(row: Buffer): void {
    this.#remember(row, row.subarray(STAMP + 1));
    const rest = row.subarray(STAMP + 1 + ID + 1);
    if (this.#isWaiting(rest, rest.indexOf(","))) return;
    this.#copy(rest.subarray(1, -1));
    this.#text("\r\n");
    this.#rows++;
  }

  /** Of a row that waits, only its size in bytes was sent; members and cells never begin with a digit. */
  #isWaiting(cell: Buffer, length: number): boolean {
    if (!(cell[0]! >= ZERO && cell[0]! <= NINE)) return false;
    this.waiting.push({ ...this.last!, bytes: Number(cell.toString("latin1", 0, length)) });
    return true;
  }

  /** The whole page, or its beginning if rows are waiting. */
  finish(): Buffer {
    if (this.waiting.length === 0) this.#text(this.end);
    return this.part();
  }

  /** What was added since the part began. */
  part(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** What stands behind the last row. */
  get end(): string {
    return this.#request.format === "json" ? "]}" : "";
  }

  /** Begins the next part, after the one before was sent. Its memory is not reused: it may still be on its way. */
  beginPart(bytes: number): void {
    this.#continues ||= this.#rows > 0;
    this.discard();
    this.#budget.take(bytes, 0);
    this.#bytes = Buffer.allocUnsafeSlow(bytes);
  }

  /** For a page that was sent: its memory can be used for the account's next page. */
  release(): void {
    if (this.#bytes.length > 0) this.#idle.keep(this.#request.accountId, this.#bytes);
    this.discard();
  }

  /** For a page that failed. Its memory is not reused: a late write into it must not reach another page. */
  discard(): void {
    this.#budget.giveBack(this.#bytes.length);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
    this.#rows = 0;
    this.#isFirst = true;
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

/** The memory that idle buffers may hold together, and the largest buffer that is kept. */
const MAX_BYTES = 33_554_432;
const MAX_BUFFER_BYTES = 4_194_304;

/**
 * Keeps the buffers of sent pages for later pages of the same account. Allocating each page anew
 * took a third of its time, mostly garbage collection. Buffers are never shared between accounts: a
 * page released too early by mistake could then show one customer's data to another.
 */
export class IdlePages {
  readonly #ofAccount = new Map<number, Buffer[]>();
  #bytes = 0;

  /** A buffer that is large enough, if there is one. */
  take(accountId: number, bytes: number): Buffer | undefined {
    const idle = this.#ofAccount.get(accountId) ?? [];
    const index = idle.findIndex((buffer) => buffer.length >= bytes);
    if (index < 0) return undefined;
    const [buffer] = idle.splice(index, 1);
    this.#bytes -= buffer!.length;
    return buffer;
  }

  keep(accountId: number, buffer: Buffer): void {
    if (buffer.length > MAX_BUFFER_BYTES) return;
    if (this.#bytes + buffer.length > MAX_BYTES) {
      this.#ofAccount.clear();
      this.#bytes = 0;
    }
    this.#bytes += buffer.length;
    const idle = this.#ofAccount.get(accountId);
    if (idle === undefined) this.#ofAccount.set(accountId, [buffer]);
    else idle.push(buffer);
  }
}
