import type { Socket } from "node:net";

export interface IdleConnection {
  /** Scheme, name and port, and the address that was vetted for them. */
  readonly key: string;
  readonly socket: Socket;
  close(): void;
}

/** Connections that wait for the next request to the same name at the same address. */
export class IdleConnections<C extends IdleConnection> {
  readonly #maxIdle: number;
  #waiting: C[] = [];
  #isClosed = false;

  constructor(maxIdle: number) {
    this.#maxIdle = maxIdle;
  }

  /** The one used last: it is the least likely to be closed by its other end. */
  take(keys: readonly string[]): C | undefined {
    const found = this.#waiting.findLast(({ key }) => keys.includes(key));
    if (found !== undefined) this.forget(found);
    return found;
  }

  /** Keeps a connection, or closes it if it is of no more use. */
  keep(connection: C): void {
    if (this.#isClosed || connection.socket.destroyed) return connection.close();
    this.#waiting.push(connection);
    if (this.#waiting.length > this.#maxIdle) this.#waiting.shift()?.close();
  }

  forget(connection: C): void {
    this.#waiting = this.#waiting.filter((one) => one !== connection);
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#waiting) connection.close();
    this.#waiting = [];
  }
}
