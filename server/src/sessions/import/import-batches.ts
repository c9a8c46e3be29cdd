import { MAX_LINE_BYTES, readImportLine } from "./import-line.ts";
import type { GivenSession, ImportRules, Line } from "./import-line.ts";
import type { ImportProblem } from "./import-problem.ts";

/** The next lines of a file: what one transaction writes. */
export interface ImportBatch {
  /** Lines with something on them. */
  read: number;
  sessions: GivenSession[];
  /** What is wrong with the other lines, one entry each. */
  problems: ImportProblem[][];
}

/** Starts of the account wait for the end of a batch: less than a tenth of a second. */
const BATCH_LINES = 250;
const BATCH_BYTES = 2 * 1_024 * 1_024;

export async function* readBatches(
  chunks: AsyncIterable<Uint8Array>,
  rules: ImportRules,
): AsyncGenerator<ImportBatch> {
  let batch: ImportBatch = { read: 0, sessions: [], problems: [] };
  let bytes = 0;
  for await (const line of readLines(chunks, MAX_LINE_BYTES)) {
    if (isBlank(line.bytes)) continue;
    const found = readImportLine(line, rules);
    if (Array.isArray(found)) batch.problems.push(found);
    else batch.sessions.push(found);
    batch.read += 1;
    bytes += line.bytes?.length ?? 0;
    if (batch.read < BATCH_LINES && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = { read: 0, sessions: [], problems: [] };
    bytes = 0;
  }
  if (batch.read > 0) yield batch;
}

function isBlank(bytes: Uint8Array | undefined): boolean {
  return bytes?.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d) ?? false;
}

/** Makes the next item while the last one is being used: the database and this process then work at once. */
export async function* oneAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = items.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // Who stops half-way never asks for it.
      next.catch(() => {});
      yield value;
    }
  } finally {
    // Not awaited: standard input may have nothing more to say for a long time.
    void items.return(undefined);
  }
}

/** Splits a stream into lines. Never holds more than one line of at most `maxBytes`, and the chunk it came in. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line> {
  let number = 0;
  let begun: Uint8Array[] = [];
  let begunBytes = 0;

  function keep(piece: Uint8Array): void {
    begunBytes += piece.length;
    if (begunBytes > maxBytes) begun = [];
    else if (piece.length > 0) begun.push(piece);
  }
  function finish(): Line {
    const bytes =
      begunBytes > maxBytes ? undefined : begun.length === 1 ? begun[0] : Buffer.concat(begun);
    begun = [];
    begunBytes = 0;
    return { number: ++number, bytes };
  }

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      yield finish();
    }
    keep(chunk.subarray(start));
  }
  if (begunBytes > 0) yield finish();
}

const LINE_FEED = 10;
