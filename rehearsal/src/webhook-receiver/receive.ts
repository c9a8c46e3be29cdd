import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable, pipeline } from "node:stream";
import type { Faults } from "../faults.ts";
import { isTlsFault } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { rawAnswers } from "./raw-answers.ts";
import { readEvent } from "./read-event.ts";
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
  request.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
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
