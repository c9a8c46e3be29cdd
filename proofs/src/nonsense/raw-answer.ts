/** An HTTP answer as it came over the wire. */
export interface Answer {
  status: number;
  /** In order, names in lower case, repeated ones kept apart. */
  headers: [name: string, value: string][];
  body: Buffer;
}

/** Takes the first whole answer from the bytes; undefined while it is not there yet. Interim answers are passed over. */
export function takeAnswer(bytes: Buffer): { answer: Answer; rest: Buffer } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`not an HTTP answer: ${JSON.stringify(statusLine)}`);
  const after = bytes.subarray(headEnd + 4);
  if (status < 200) return takeAnswer(after);

  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const body = takeBody(headers, after);
  return body && { answer: { status, headers, body: body.bytes }, rest: body.rest };
}

function takeBody(
  headers: [string, string][],
  bytes: Buffer,
): { bytes: Buffer; rest: Buffer } | undefined {
  const value = (name: string): string | undefined => headers.find(([one]) => one === name)?.[1];
  if (value("transfer-encoding") === "chunked") return takeChunks(bytes);
  const length = Number(value("content-length") ?? Number.NaN);
  if (Number.isNaN(length)) throw new Error("an answer of unknown length");
  if (bytes.length < length) return undefined;
  return { bytes: bytes.subarray(0, length), rest: bytes.subarray(length) };
}

function takeChunks(bytes: Buffer): { bytes: Buffer; rest: Buffer } | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const sizeEnd = bytes.indexOf("\r\n", at);
    if (sizeEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, sizeEnd), 16);
    const end = sizeEnd + 2 + size + 2;
    if (bytes.length < end) return undefined;
    if (size === 0) return { bytes: Buffer.concat(chunks), rest: bytes.subarray(end) };
    chunks.push(bytes.subarray(sizeEnd + 2, end - 2));
    at = end;
  }
}
