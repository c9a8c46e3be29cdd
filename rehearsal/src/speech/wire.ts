import type { IncomingHttpHeaders, IncomingMessage, Server } from "node:http";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";
import { Mistake } from "../read-value.ts";
import type { Service, SpeechFaultKind, SpeechFaults } from "./fault.ts";
import type { RequestLog } from "./request-log.ts";
import type { Recogniser } from "./recognition/recogniser.ts";
import type { Voice } from "./voices/voice.ts";

/** What all the stand-in's interfaces share. */
export interface SpeechParts {
  recogniser: Recogniser;
  voice: Voice;
  faults: SpeechFaults;
  log: RequestLog;
  /** The only one that is taken. */
  apiKey: string | undefined;
  /** From a text to its first sound. */
  delayMs: number;
  /** How many times faster than it is spoken sound leaves. */
  speed: number;
  /** How long a recogniser waits for sound or a sign of life. */
  idleMs: number;
}

/** A vendor's interface. */
export interface Interface {
  service: Service;
  path: RegExp;
  keyIn(headers: IncomingHttpHeaders): string | undefined;
}

export interface SocketInterface extends Interface {
  serve(wire: Wire, address: Address, parts: SpeechParts): void;
}

export interface Address {
  path: string;
  query: URLSearchParams;
}

const POLICY_VIOLATION = 1008;

/** A WebSocket whose other end may leave, or talk nonsense, at any time. */
export class Wire {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    // It is closed then, which is all there is to know.
    socket.on("error", () => {});
  }

  send(message: object): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** A `Mistake` that is thrown ends the connection. */
  onMessage(take: (data: Buffer, isBinary: boolean) => void): void {
    this.#socket.on("message", (data: Buffer, isBinary: boolean) => {
      try {
        take(data, isBinary);
      } catch (error) {
        if (!(error instanceof Mistake) && !(error instanceof SyntaxError)) throw error;
        this.close(POLICY_VIOLATION, error.message.slice(0, 100));
      }
    });
  }

  onClose(then: () => void): void {
    this.#socket.on("close", then);
  }

  close(code = 1000, reason = ""): void {
    this.#socket.close(code, reason);
  }

  /** Without a farewell. */
  cut(): void {
    this.#socket.terminate();
  }
}

/** Faults that are a status and nothing else. */
const refusals: Partial<Record<SpeechFaultKind, number>> = {
  bad_key: 401,
  rate_limit: 429,
  error_500: 500,
};

/** Lets a client in, or returns the status that refuses it. */
export function admit(
  { service, keyIn }: Interface,
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
  { faults, log, apiKey }: SpeechParts,
): number | undefined {
  const fault = faults.choose("connection", service)?.kind;
  const key = keyIn(headers);
  const isKeyRight = key !== undefined && (apiKey ?? key) === key;
  const status = isKeyRight ? fault && refusals[fault] : 401;
  const language = query.get("language") ?? query.get("language_code");
  log.note({
    service,
    what: status === undefined ? "connected" : "refused",
    ...(language !== null && { language }),
    ...(fault !== undefined && { fault }),
  });
  return status;
}

/** Takes WebSockets, or refuses them as vendors do: before they open, by a status. */
export function takeSockets(
  server: Server,
  interfaces: SocketInterface[],
  parts: SpeechParts,
): void {
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://speech");
    const found = interfaces.find((one) => one.path.test(path));
    const status = found === undefined ? 404 : admit(found, query, request.headers, parts);
    if (found === undefined || status !== undefined) {
      const line = `HTTP/1.1 ${status} ${STATUS_CODES[status ?? 0]}`;
      connection.end(`${line}\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, connection, head, (socket) => {
      const wire = new Wire(socket);
      wire.onClose(() => parts.log.note({ service: found.service, what: "closed" }));
      found.serve(wire, { path, query }, parts);
    });
  });
}
