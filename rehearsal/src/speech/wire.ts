import type { WebSocket } from "ws";
import { Mistake } from "../shape.ts";

const POLICY_VIOLATION = 1008;

/** A WebSocket whose other end may leave, or talk nonsense, at any time. */
export class Wire {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    // It is closed then, which is all there is to know.
    socket.on("error", () => {});
  }

  send(message: object | Uint8Array): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(message instanceof Uint8Array ? message : JSON.stringify(message));
  }

  /** Who throws a `Mistake` ends the connection. */
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
