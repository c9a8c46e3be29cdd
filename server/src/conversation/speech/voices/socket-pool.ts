import type { WebSocket } from "ws";
import { openSocket } from "../open-socket.ts";
import type { SocketPlace } from "../open-socket.ts";

/** Connections to a vendor. One sentence has a connection to itself; afterwards the next may have it. */
export class SocketPool {
  readonly #place: SocketPlace;
  readonly #idle = new Set<WebSocket>();
  #isClosed = false;

  constructor(place: SocketPlace) {
    this.#place = place;
  }

  /** A connection that nobody uses, where there is one. */
  takeIdle(): WebSocket | undefined {
    const [socket] = this.#idle;
    if (socket !== undefined) this.#idle.delete(socket);
    return socket;
  }

  async connect(): Promise<WebSocket> {
    const socket = await openSocket(this.#place);
    socket.once("close", () => this.#idle.delete(socket));
    return socket;
  }

  give(socket: WebSocket): void {
    if (this.#isClosed) socket.close();
    else if (socket.readyState === socket.OPEN) this.#idle.add(socket);
  }

  /** What is still being said goes on. */
  close(): void {
    this.#isClosed = true;
    for (const socket of this.#idle) socket.close();
    this.#idle.clear();
  }
}
