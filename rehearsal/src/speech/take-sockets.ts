import { STATUS_CODES } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { admit } from "./admit.ts";
import { socketInterfaces } from "./interfaces.ts";
import type { SpeechParts } from "./speech-parts.ts";
import { Wire } from "./wire.ts";

/** Takes WebSockets, or refuses them as vendors do: before they open, by a status. */
export function takeSockets(server: Server, parts: SpeechParts): void {
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    // Clients that leave in the middle are no news.
    connection.on("error", () => {});
    take(request, connection, head);
  });

  function take(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://speech");
    const found = socketInterfaces.find((one) => one.path.test(path));
    if (found === undefined) return refuse(connection, 404);
    const status = admit(found, { path, query }, request.headers, parts);
    if (status !== undefined) return refuse(connection, status);
    sockets.handleUpgrade(request, connection, head, (socket) => {
      const { service } = found;
      const wire = new Wire(socket);
      wire.onClose(() => parts.log.add({ service, what: "closed" }));
      found.serve(wire, { path, query }, parts);
    });
  }
}

function refuse(connection: Duplex, status: number): void {
  connection.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-length: 0\r\n\r\n`);
}
