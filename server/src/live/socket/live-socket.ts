import { LIVE_CLOSE } from "@svc/contract/live-close-codes";
import type { LiveCloseName } from "@svc/contract/live-close-codes";
import { LiveClientMessage as MessageSchema } from "@svc/contract/schemas";
import type { LiveClientMessage, LiveServerMessage } from "@svc/contract/types";
import type { RawData, WebSocket } from "ws";
import type { FrameRateLimit } from "./frame-rate-limit.ts";

/** The receiver of what arrives on a socket. */
export interface SocketUser {
  message(message: LiveClientMessage): void;
  /** A frame of sound. */
  audio(bytes: Buffer): void;
  /** It is closed, by either side. Comes once. */
  closed(): void;
}

/** The reason why a socket was closed: ours, or `by_browser`. */
export type SocketEnd = LiveCloseName | "by_browser";

/** A browser that leaves a megabyte unread is not there. */
const MAX_BUFFERED_BYTES = 1_048_576;
/** A browser that does not answer our close is cut off. */
const CLOSE_WITHIN_MS = 2_000;

/**
 * One socket of a visitor's browser. It hands on what is a message of the protocol and closes
 * itself for anything else, for a flood, for silence, and when nobody reads at the other end.
 */
export class LiveSocket {
  readonly #ws: WebSocket;
  readonly #rateLimits: FrameRateLimit[];
  readonly #onEnd: (end: SocketEnd) => void;
  #user: SocketUser | undefined;
  #patience: NodeJS.Timeout | undefined;
  #over = false;
  #onceHeard: (() => void) | undefined;

  constructor(ws: WebSocket, rateLimit: FrameRateLimit, onEnd: (end: SocketEnd) => void) {
    this.#ws = ws;
    this.#rateLimits = [rateLimit];
    this.#onEnd = onEnd;
    ws.on("message", (data, isBinary) => this.#received(data, isBinary));
    // Answered by hand: a browser that asks and never reads our answers must not fill the memory.
    ws.on("ping", (data) => {
      if (this.#admits()) ws.pong(data);
    });
    ws.on("pong", () => void this.#admits());
    ws.on("close", () => this.#end("by_browser"));
    // The frame broke the WebSocket protocol itself: `ws` has closed the socket with the right code.
    ws.on("error", (error) => this.#end(isTooBig(error) ? "tooBig" : "badFrame"));
  }

  /** From now on another limit applies, too. */
  alsoLimit(rateLimit: FrameRateLimit): void {
    this.#rateLimits.push(rateLimit);
  }

  /** From now on `user` takes what arrives. When nothing does for so long, the socket is closed as `why`. */
  expect(user: SocketUser, withinMs: number, why: LiveCloseName): void {
    if (this.#over) return user.closed();
    this.#user = user;
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => this.close(why), withinMs);
  }

  /** Calls back at the next frame of the browser's. */
  onceHeard(callback: () => void): void {
    this.#onceHeard = callback;
  }

  send(message: LiveServerMessage): void {
    this.#write(JSON.stringify(message));
  }

  sendSound(pcm: Int16Array): void {
    this.#write(Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength));
  }

  /** @param end the reason for the metrics, where it says more than the browser is told. */
  close(why: LiveCloseName, end: SocketEnd = why): void {
    if (this.#over) return;
    const { code, name } = LIVE_CLOSE[why];
    this.#ws.close(code, name);
    const cut = setTimeout(() => this.#ws.terminate(), CLOSE_WITHIN_MS);
    this.#ws.once("close", () => clearTimeout(cut));
    this.#end(end);
  }

  #write(frame: string | Buffer): void {
    if (this.#over) return;
    if (this.#ws.bufferedAmount > MAX_BUFFERED_BYTES) return this.close("silent");
    this.#ws.send(frame);
  }

  #received(data: RawData, isBinary: boolean): void {
    // It comes as one buffer; the other forms are for binary types that are not asked for.
    const bytes = data as Buffer;
    if (!this.#admits(isBinary ? bytes.byteLength : undefined)) return;
    this.#patience?.refresh();
    this.#onceHeard?.();
    this.#onceHeard = undefined;
    if (isBinary) return this.#user?.audio(bytes);
    const message = readFrame(bytes.toString("utf8"));
    if (message === undefined) this.close("badFrame");
    else this.#user?.message(message);
  }

  #admits(soundBytes?: number): boolean {
    if (this.#over) return false;
    const isWithin = this.#rateLimits.every((limit) =>
      soundBytes === undefined ? limit.takeMessage() : limit.takeSound(soundBytes),
    );
    if (!isWithin) this.close("tooFast");
    return isWithin;
  }

  #end(end: SocketEnd): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#patience);
    this.#onEnd(end);
    this.#user?.closed();
  }
}

function isTooBig(error: Error): boolean {
  return "code" in error && error.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";
}

/** The message in a text frame, or undefined when it is none of this protocol. */
export function readFrame(frame: string): LiveClientMessage | undefined {
  const message = MessageSchema.safeParse(parseOrNothing(frame));
  return message.success ? message.data : undefined;
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
