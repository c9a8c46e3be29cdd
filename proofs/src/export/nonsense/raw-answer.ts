import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { judgeError } from "./judge.ts";

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

/** One TCP connection that sends whatever bytes it is given. */
export class RawConnection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #wake: () => void = () => {};
  isOpen = true;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#wake();
    });
    // A server that hangs up on nonsense resets the connection; what it said before still counts.
    socket.on("error", () => {});
    socket.on("close", () => {
      this.isOpen = false;
      this.#wake();
    });
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  send(bytes: Buffer): void {
    if (this.#socket.writable) this.#socket.write(bytes);
  }

  /** The next answer, or how the wait for it ended. */
  async answer(withinMs: number): Promise<Answer | "hung up" | "is silent"> {
    const endAt = performance.now() + withinMs;
    const timer = setTimeout(() => this.#wake(), withinMs + 1);
    try {
      for (;;) {
        const taken = takeAnswer(this.#received);
        if (taken !== undefined) {
          this.#received = taken.rest;
          return taken.answer;
        }
        if (!this.isOpen) return "hung up";
        if (performance.now() >= endAt) return "is silent";
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.isOpen = false;
    this.#socket.destroy();
  }
}

/** The server lets go of a slow client after 10 s, and looks every 5 s. */
const LET_GO_WITHIN_MS = 20_000;
const DRIP_EVERY_MS = 400;

/** Clients that never finish their request must be let go, with a documented answer or none; what is wrong, in words. */
export async function checkSlowRequests(url: string): Promise<string[]> {
  const faults = await Promise.all(
    ["", "G", "GET /v1/sessions.json HTTP/1.1\r\nHost: x\r\nX-Drip: "].map(async (beginning) => {
      const connection = await RawConnection.open(url);
      const dripping = drip(connection, beginning);
      const answer = await connection.answer(LET_GO_WITHIN_MS);
      connection.close();
      await dripping;
      if (answer === "hung up") return undefined;
      const error = answer === "is silent" ? "is not let go" : judgeError(answer);
      return typeof error === "string"
        ? `a client that is slow after "${beginning}": ${error}`
        : undefined;
    }),
  );
  return faults.filter((fault) => fault !== undefined);
}

async function drip(connection: RawConnection, beginning: string): Promise<void> {
  connection.send(Buffer.from(beginning));
  while (connection.isOpen) {
    await delay(DRIP_EVERY_MS);
    if (beginning.length > 1) connection.send(Buffer.from("x"));
  }
}
