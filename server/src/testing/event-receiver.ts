import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { createServer as createTcpServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { TlsOptions } from "node:tls";

/** A customer's receiver on this machine, over plain HTTP. */
export interface EventReceiver {
  url: string;
  received: ReceivedEvent[];
  close(): void;
}

export interface ReceivedEvent {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** `answer` gives the status of each request. It may wait, and say something. */
export async function startEventReceiver(
  answer: (event: ReceivedEvent, index: number) => EventAnswer | Promise<EventAnswer> = () => 204,
): Promise<EventReceiver> {
  const received: ReceivedEvent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const event = { headers: request.headers, body: Buffer.concat(chunks) };
      received.push(event);
      void Promise.resolve(answer(event, received.length - 1)).then((said) => {
        const {
          status,
          body = "",
          headers = {},
        } = typeof said === "number" ? { status: said } : said;
        response.writeHead(status, headers).end(body);
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/svc`,
    received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type EventAnswer =
  | number
  | { status: number; body?: string | Buffer; headers?: Record<string, string> };

/** A receiver of requests that answers with whatever bytes it is told to, or with none. */
export interface RawReceiver {
  port: number;
  requests: RawRequest[];
  /** How many connections were made to it. */
  connections(): number;
  close(): void;
}

export interface RawRequest {
  /** Request line and header fields. */
  head: string;
  body: Buffer;
}

export interface RawReceiverOptions {
  host?: string;
  port?: number;
  tls?: TlsOptions;
  /** Sees each connection first, before anything was read from it. */
  onConnection?(socket: Socket): void;
}

/** `answer` is called for each whole request. */
export async function startRawReceiver(
  answer: (socket: Socket, request: RawRequest) => unknown,
  { host = "127.0.0.1", port = 0, tls, onConnection }: RawReceiverOptions = {},
): Promise<RawReceiver> {
  const requests: RawRequest[] = [];
  const sockets: Socket[] = [];
  const serve = (socket: Socket): void => {
    sockets.push(socket);
    // Resets are what some of its callers are for.
    socket.on("error", () => {});
    onConnection?.(socket);
    let received: Buffer = Buffer.alloc(0);
    socket.on("data", (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      for (let taken = takeRequest(received); taken !== undefined; taken = takeRequest(received)) {
        received = taken.rest;
        requests.push(taken.request);
        answer(socket, taken.request);
      }
    });
  };
  const server: Server = tls === undefined ? createTcpServer(serve) : createTlsServer(tls, serve);
  // A handshake that fails is the caller's to notice.
  server.on("tlsClientError", () => {});
  server.listen(port, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    connections: () => sockets.length,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function takeRequest(received: Buffer): { request: RawRequest; rest: Buffer } | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const head = received.toString("latin1", 0, headEnd);
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  const bodyEnd = headEnd + 4 + length;
  if (received.length < bodyEnd) return undefined;
  const body = received.subarray(headEnd + 4, bodyEnd);
  return { request: { head, body }, rest: received.subarray(bodyEnd) };
}
