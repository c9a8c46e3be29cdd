import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { takeAnswer } from "./raw-answer.ts";
import type { Answer } from "./raw-answer.ts";

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
