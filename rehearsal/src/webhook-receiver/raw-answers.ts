import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { FaultKind } from "./fault.ts";

/** An answer that no HTTP library would send, byte by byte as it goes out. Then the connection is closed. */
export interface RawAnswer {
  /** Absent where its status line is no such thing, or too slow for anybody. */
  status?: number;
  parts(): Iterable<Part> | AsyncIterable<Part>;
}

type Part = string | Buffer;

const MEGABYTE = 1_048_576;

export const rawAnswers: Partial<Record<FaultKind, RawAnswer>> = {
  drip: { parts: () => dripped(head("content-length: 0")) },
  interim_flood: { parts: () => repeated("HTTP/1.1 102 Processing\r\n\r\n".repeat(1_000)) },
  endless_body: ok("transfer-encoding: chunked", () => repeated(chunk(65_536))),
  huge_body: ok("content-length: 1073741824", () => repeated(Buffer.alloc(MEGABYTE), 1_024)),
  dripping_body: ok("content-length: 1073741824", () => dripped(Buffer.alloc(MEGABYTE))),
  // Each megabyte is a gzip file of its own; one after the other they are one again.
  gzip_bomb: ok("content-encoding: gzip", () =>
    repeated(gzipSync(Buffer.alloc(MEGABYTE), { level: 9 }), 1_024),
  ),
  http_0_9: { parts: () => ["<html>Thank you.</html>\n"] },
  huge_header: { status: 200, parts: () => [head(`x-huge: ${"x".repeat(MEGABYTE)}`)] },
  bad_chunks: ok("transfer-encoding: chunked", () => ["many\r\nthanks\r\n", "0x2\r\nto\r\n"]),
};

function ok(header: string, body: () => Iterable<Part> | AsyncIterable<Part>): RawAnswer {
  return {
    status: 200,
    async *parts() {
      yield head(header);
      yield* body();
    },
  };
}

function head(header: string): string {
  return `HTTP/1.1 200 OK\r\n${header}\r\n\r\n`;
}

function chunk(bytes: number): Buffer {
  return Buffer.from(`${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`);
}

function* repeated(part: Part, times = Infinity): Iterable<Part> {
  for (let count = 0; count < times; count++) yield part;
}

async function* dripped(text: Part): AsyncIterable<Part> {
  for (const byte of Buffer.from(text)) {
    yield Buffer.of(byte);
    await delay(1_000, undefined, { ref: false });
  }
}
