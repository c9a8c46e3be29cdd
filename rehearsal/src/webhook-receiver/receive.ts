import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable, pipeline } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import * as z from "zod";
import type { Faults } from "../faults.ts";
import { Mistake, readJson } from "../read-value.ts";
import { isTlsFault } from "./fault.ts";
import type { Fault, FaultKind } from "./fault.ts";
import { nowMs } from "./request-log.ts";
import type { ReceivedRequest, RequestLog } from "./request-log.ts";
import { reset } from "./secure-port.ts";
import type { Keyring } from "./signatures.ts";

/** What a receiver is made of. */
export interface ReceiverParts {
  log: RequestLog;
  keyring: Keyring;
  faults: Faults<Fault>;
}

/** Takes a webhook, writes down what it is, and answers: well, or as a fault says. */
export function receive(
  parts: ReceiverParts,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { log, faults } = parts;
  const { url: path = "/", headers, socket } = request;
  const isReused = usedConnections.has(socket);
  usedConnections.add(socket);
  const received = log.begin(path, headers, { isReused });
  const fault = faults.draw(
    `${received.webhookId ?? received.number}:${received.attempt}`,
    (one) =>
      !isTlsFault(one) &&
      (one.path === undefined || one.path === path) &&
      (one.kind !== "close_reused" || isReused),
  );
  if (fault !== undefined) received.fault = fault.kind;
  response.once("close", () => log.end(received));

  if (fault?.kind === "reset_before_body") return reset(socket);
  const chunks: Buffer[] = [];
  request.on("data", (bytes: Buffer) => {
    chunks.push(bytes);
    if (fault?.kind === "reset_in_body") reset(socket);
  });
  request.once("end", () => {
    readBody(parts, received, headers, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    if (fault === undefined) answer(log, received, response, 204);
    else showFault(log, fault, received, response);
  });
}

/** Connections that have carried a request. */
const usedConnections = new WeakSet<Socket>();

function readBody(
  { log, keyring }: ReceiverParts,
  received: ReceivedRequest,
  headers: IncomingMessage["headers"],
  body: Buffer,
): void {
  const event = readEvent(body);
  log.read(received, body, {
    signatures: keyring.check(headers, body, received.atMs / 1_000),
    ...("sessionId" in event && { sessionId: event.sessionId, evaluatedAt: event.timestamp }),
  });
}

function answer(
  log: RequestLog,
  received: ReceivedRequest,
  response: ServerResponse,
  status: number,
): void {
  const isRedirect = status >= 300 && status < 400;
  response.writeHead(status, {
    ...(isRedirect && { location: "/moved" }),
    ...(status === 429 && { "retry-after": "1" }),
  });
  response.end(status < 300 ? "" : "Answered so on purpose.\n");
  log.end(received, status);
}

function showFault(
  log: RequestLog,
  { kind, afterMs = 0, status = 204 }: Fault,
  received: ReceivedRequest,
  response: ServerResponse,
): void {
  const { socket } = response.req;
  switch (kind) {
    case "status":
      return answer(log, received, response, status);
    case "late": {
      const leftMs = received.atMs + afterMs - nowMs();
      const timer = setTimeout(() => answer(log, received, response, 204), leftMs);
      response.once("close", () => clearTimeout(timer));
      return;
    }
    case "silent":
      return;
    case "close":
    case "close_reused":
      socket.end();
      return;
    case "reset_in_body":
    case "reset_after_body":
      return reset(socket);
    case "reset_in_answer":
      received.status = 200;
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nThank", () => reset(socket));
      return;
    default: {
      const raw = rawAnswers[kind];
      if (raw === undefined) throw new Error(`Nothing shows ${kind}.`);
      if (raw.status !== undefined) received.status = raw.status;
      // It fails whenever the other side has had enough.
      pipeline(Readable.from(raw.parts()), socket, () => {});
    }
  }
}

/** What a person wants to know of an event at a glance. */
export interface ReceivedEvent {
  sessionId: string;
  /** When the evaluation was written. */
  timestamp: string;
  status: string;
  qualification: string | undefined;
  summary: string | undefined;
}

const wireEvent = z.object({
  event_type: z.literal("session.evaluated"),
  timestamp: z.string(),
  data: z.object({
    id: z.string(),
    status: z.string(),
    summary: z.string().optional(),
    evaluation: z.object({ qualification: z.object({ status: z.string() }).optional() }).optional(),
  }),
});

/** The event in a body, or in words why there is none. */
export function readEvent(body: Buffer): ReceivedEvent | { problem: string } {
  try {
    const { timestamp, data } = readJson(wireEvent, body);
    return {
      sessionId: data.id,
      timestamp,
      status: data.status,
      qualification: data.evaluation?.qualification?.status,
      summary: data.summary,
    };
  } catch (error) {
    if (error instanceof Mistake) return { problem: error.message };
    if (error instanceof SyntaxError) return { problem: "the body is not JSON" };
    throw error;
  }
}

/** An answer that no HTTP library would send, byte by byte as it goes out. Then the connection is closed. */
interface RawAnswer {
  /** Absent where its status line is no such thing, or too slow for anybody. */
  status?: number;
  parts(): Iterable<Part> | AsyncIterable<Part>;
}

type Part = string | Buffer;

const MEGABYTE = 1_048_576;

const rawAnswers: Partial<Record<FaultKind, RawAnswer>> = {
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
