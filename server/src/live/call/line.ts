import type { LiveCloseName } from "@svc/contract/live-close-codes";
import type { Clock } from "#platform";
import type { LiveClientMessage, LiveHello, LivePing, LiveWelcome } from "@svc/contract/types";
import type { LiveSocket } from "../socket/live-socket.ts";
import { Outbox } from "./outbox.ts";
import type { Outgoing } from "./outbox.ts";

/** A message that changes something: everything but `hello` and `ping`. */
export type VisitorMessage = Exclude<LiveClientMessage, LiveHello | LivePing>;

export interface LineOptions {
  clock: Clock;
  /** A browser that says nothing for so long is lost. */
  silentMs: number;
  /** The number of the visitor's last message that an earlier process has stored. */
  received: number;
  /** Undefined while this process may speak; otherwise resolves when it knows whether it still runs the call. */
  findingOut: () => Promise<void> | undefined;
  /** Every message of the visitor's once, in their order. */
  onMessage: (message: VisitorMessage) => void;
  /** A frame of sound, as often as it comes. */
  onAudio: (bytes: Buffer) => void;
  /** The socket is gone, and the browser had been silent for that long. */
  onLost: (silentMs: number) => void;
}

/** The connection to a visitor, over as many sockets as it takes: nothing is lost or told twice. */
export class Line {
  readonly #options: LineOptions;
  readonly #outbox = new Outbox();
  #socket: LiveSocket | undefined;
  #received: number;
  /** Numbers of messages whose effect is not stored yet. */
  readonly #held = new Set<number>();
  readonly #unsaid: (() => void)[] = [];
  #isNew = true;
  /** True when it is unknown how far the browser had come: then its next sequence number is accepted as it is. */
  #takesAnyNumber = false;
  #lastFrameAtMs: number;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#received = options.received;
    this.#lastFrameAtMs = options.clock.monotonicMs();
  }

  get connected(): boolean {
    return this.#socket !== undefined;
  }

  get silentMs(): number {
    return this.#options.clock.monotonicMs() - this.#lastFrameAtMs;
  }

  /**
   * The last message of the visitor's that needs not be sent again: it is handled, and so are all before it. If this
   * process dies, the browser sends those after it to the next.
   */
  get acknowledged(): number {
    return Math.min(this.#received, ...[...this.#held].map((seq) => seq - 1));
  }

  /** The message is not acknowledged until it is released. */
  hold(seq: number): void {
    this.#held.add(seq);
  }

  release(seq: number): void {
    this.#held.delete(seq);
  }

  /** Nothing can be lost any more: the conversation is over, and stored. */
  releaseAll(): void {
    this.#held.clear();
  }

  /** `socket` takes the place of the one before, and is told what has not arrived yet. False when it is refused. */
  attach(
    socket: LiveSocket,
    hello: LiveHello,
    welcome: Omit<LiveWelcome, "received" | "sent">,
  ): boolean {
    const { clock, silentMs } = this.#options;
    const isTakenOver = this.#isNew && hello.resume_token !== undefined;
    if (this.#isNew) this.#takeOver(hello);
    if (!this.#outbox.acknowledge(hello.received)) {
      socket.close("badFrame");
      return false;
    }
    // A browser that has nothing on its screen is told everything by the welcome.
    if (hello.received === 0) this.#outbox.clear();
    const before = this.#socket;
    this.#socket = socket;
    this.#lastFrameAtMs = clock.monotonicMs();
    before?.close("moved");
    const isTold = hello.received === 0 || isTakenOver;
    const sent = isTold ? this.#outbox.sent : hello.received;
    socket.send({ ...welcome, received: this.acknowledged, sent });
    for (const message of this.#outbox.waiting()) socket.send(message);
    const user = {
      message: (message: LiveClientMessage) => this.#arrived(socket, message),
      audio: (bytes: Buffer) => this.#sounded(bytes),
      closed: () => this.#closed(socket),
    };
    socket.expect(user, silentMs, "silent");
    return this.connected;
  }

  /** The browser gets it now, or when it is back. */
  tell(message: Outgoing): void {
    const numbered = this.#outbox.add(message);
    this.#say((socket) => socket.send(numbered));
  }

  /** Lost where there is no socket: sound that comes late is worth nothing. */
  sound(pcm: Int16Array): void {
    this.#say((socket) => socket.sendSound(pcm));
  }

  /** In order, also behind what waits: a process that was frozen may have lost the call, and then says nothing. */
  #say(say: (socket: LiveSocket) => void): void {
    const socket = this.#socket;
    if (socket === undefined) return;
    if (this.#unsaid.length === 0) {
      const found = this.#options.findingOut();
      if (found === undefined) return say(socket);
      void found.then(() => {
        for (const one of this.#unsaid.splice(0)) one();
      });
    }
    this.#unsaid.push(() => {
      if (socket === this.#socket) say(socket);
    });
  }

  close(why: LiveCloseName): void {
    this.#unsaid.length = 0;
    this.#socket?.close(why);
  }

  #sounded(bytes: Buffer): void {
    this.#lastFrameAtMs = this.#options.clock.monotonicMs();
    this.#options.onAudio(bytes);
  }

  #arrived(socket: LiveSocket, message: LiveClientMessage): void {
    this.#lastFrameAtMs = this.#options.clock.monotonicMs();
    if (message.type === "hello") return socket.close("badFrame");
    if (message.type === "ping") {
      if (!this.#outbox.acknowledge(message.received)) return socket.close("badFrame");
      return this.#say((to) => to.send({ type: "pong", received: this.acknowledged }));
    }
    // Sent again after a loss.
    if (message.seq <= this.#received) return;
    if (message.seq > this.#received + 1 && !this.#takesAnyNumber) return socket.close("badFrame");
    this.#takesAnyNumber = false;
    this.#received = message.seq;
    this.#options.onMessage(message);
  }

  /**
   * A browser that comes back has talked to an earlier line, which is gone. What that said last may be lost: a number is
   * left out, which tells the browser to draw its screen anew from the welcome.
   */
  #takeOver({ received, resume_token: token }: LiveHello): void {
    this.#isNew = false;
    this.#takesAnyNumber = token !== undefined;
    this.#outbox.continueFrom(token === undefined || received === 0 ? received : received + 1);
  }

  #closed(socket: LiveSocket): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    const { silentMs, onLost } = this.#options;
    // Between two pings nobody is silent.
    onLost(Math.max(0, this.silentMs - silentMs / 3));
  }
}
