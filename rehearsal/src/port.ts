import { once } from "node:events";
import type { Server } from "node:http";
import type { Socket } from "node:net";

/** The port of a server, which can be shut for a while as if nobody were there. */
export interface Port {
  number: number;
  open(): Promise<void>;
  /** Until `open`, or for so long. Ends every connection. */
  shut(forMs: number | undefined): Promise<void>;
  close(): Promise<void>;
}

export async function openPort(server: Server, wanted: number): Promise<Port> {
  // A client that keeps its connections must not find one closed just as it sends.
  server.keepAliveTimeout = 120_000;
  // The server forgets a connection that became a WebSocket, and would never be closed.
  const connections = new Set<Socket>();
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  let reopening: NodeJS.Timeout | undefined;
  let number = wanted;

  async function open(): Promise<void> {
    clearTimeout(reopening);
    if (server.listening) return;
    server.listen(number, "127.0.0.1");
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
