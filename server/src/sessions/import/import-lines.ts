/** One line of a file, as bytes: a line that is no UTF-8 must be found, not repaired. */
export interface Line {
  /** From 1, as editors count. */
  number: number;
  /** Undefined when the line is longer than allowed. */
  bytes: Uint8Array | undefined;
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
