import type { Server, Socket } from "node:net";

/** The connections of a receiver, of which some end in ways that HTTP does not know. */
export class Connections {
  readonly #open = new Set<Socket>();
  readonly #used = new WeakSet<Socket>();
  /** What lies below an encrypted one. */
  readonly #carriers = new WeakMap<Socket, Socket>();

  /** Knows every connection that a server accepts. */
  watch(server: Server): void {
    server.on("connection", (socket: Socket) => {
      this.#open.add(socket);
      socket.once("close", () => this.#open.delete(socket));
      // Clients that leave in the middle are what a receiver is there to see.
      socket.on("error", () => {});
    });
  }

  carries(carrier: Socket, encrypted: Socket): void {
    this.#carriers.set(encrypted, carrier);
    encrypted.on("error", () => {});
  }

  /** Whether a request came by this connection before. To be asked once for each. */
  isReused(socket: Socket): boolean {
    if (this.#used.has(socket)) return true;
    this.#used.add(socket);
    return false;
  }

  /** Ends it with a reset in place of a farewell. */
  reset(socket: Socket): void {
    (this.#carriers.get(socket) ?? socket).resetAndDestroy();
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
