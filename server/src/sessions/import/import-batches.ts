import { MAX_LINE_BYTES, readImportLine } from "./import-line.ts";
import type { GivenSession, ImportRules, Line } from "./import-line.ts";
import type { ImportProblem } from "./import-problem.ts";

/** The lines of a file that one transaction writes. */
export interface ImportBatch {
  /** The number of lines that are not blank. */
  read: number;
  sessions: GivenSession[];
  /** The problems of the other lines, one entry per line. */
  problems: ImportProblem[][];
}

/** Bounds a transaction, for which new sessions of the account wait: less than a tenth of a second. */
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

/**
 * Produces the next item while the last one is being used, so that the database and this process
 * work at the same time.
 */
export async function* oneAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = items.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // Marks the error as handled for a consumer that stops early and never asks for this item.
      next.catch(() => {});
      yield value;
    }
  } finally {
    // Not awaited, because standard input may stay silent for a long time.
    void items.return(undefined);
  }
}

/** Splits a stream into lines. Holds at most one line of `maxBytes` and the current chunk in memory. */
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
