import { once } from "node:events";
import type { Server, Socket } from "node:net";

/** The port of a server, which can be shut for a while as if nobody were there. */
export interface Port {
  number: number;
  open(): Promise<void>;
  /** Until `open`, or for so long. Ends every connection. */
  shut(forMs: number | undefined): Promise<void>;
  close(): Promise<void>;
}

let host = "127.0.0.1";

/** Where stand-ins listen: on this machine only, unless told otherwise. */
export function listeningHost(): string {
  return host;
}

/** In a container nobody would reach a port of this machine only. */
export function listenEverywhere(): void {
  host = "0.0.0.0";
}

/** Opens the port that is wanted, or a free one. */
export async function openPort(server: Server, wanted = 0): Promise<Port> {
  // A server forgets a connection that became a WebSocket, which would never be closed.
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
    // Clients that leave in the middle are part of what a stand-in sees.
    socket.on("error", () => {});
  });
  let reopening: NodeJS.Timeout | undefined;
  let number = wanted;

  async function open(): Promise<void> {
    clearTimeout(reopening);
    if (server.listening) return;
    server.listen(number, host);
    await once(server, "listening");
  }

  async function close(): Promise<void> {
    clearTimeout(reopening);
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of connections) socket.destroy();
    await closed;
  }

  await open();
  const address = server.address();
  if (typeof address === "object" && address !== null) number = address.port;
  return {
    number,
    open,
    close,
    async shut(forMs) {
      await close();
      if (forMs !== undefined) reopening = setTimeout(() => void open(), forMs);
    },
  };
}
