import { once } from "node:events";
import { LiveServerMessage } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import { WebSocket } from "ws";

type Unnumbered<T> = T extends { seq: number } ? Omit<T, "seq"> : never;
type MessageOf<Type> = Extract<types.LiveServerMessage, { type: Type }>;

const PATIENCE_MS = 10_000;

/** A visitor's browser, as far as the protocol of live sessions knows it. */
export class LiveBrowser {
  readonly socket: WebSocket;
  /** Everything that it was told. */
  readonly messages: types.LiveServerMessage[] = [];
  closeCode: number | undefined;
  #seq = 0;

  private constructor(url: string, headers: Record<string, string>) {
    this.socket = new WebSocket(url, "svc.live.v1", { headers });
    this.socket.on("message", (data, isBinary) => {
      if (isBinary) return;
      const text = (data as Buffer).toString();
      this.messages.push(LiveServerMessage.parse(JSON.parse(text)));
      this.socket.emit("change");
    });
    this.socket.on("close", (code) => {
      this.closeCode = code;
      this.socket.emit("change");
    });
    this.socket.on("error", () => {});
  }

  /** A socket that has said nothing yet; one that was refused is closed with 1006. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<LiveBrowser> {
    const browser = new LiveBrowser(url, headers);
    await new Promise((resolve) => browser.socket.once("open", resolve).once("close", resolve));
    return browser;
  }

  /** Sends a frame as it is given. */
  raw(frame: object | string | Buffer): void {
    const isPlain = typeof frame === "string" || Buffer.isBuffer(frame);
    this.socket.send(isPlain ? frame : JSON.stringify(frame));
  }

  /** Sends a message with the next number. */
  send(message: Unnumbered<types.LiveClientMessage>): void {
    this.raw({ ...message, seq: (this.#seq += 1) });
  }

  /** The highest number that has arrived. */
  get received(): number {
    return this.messages.reduce(
      (most, message) => Math.max(most, "seq" in message ? message.seq : 0),
      0,
    );
  }

  ping(): void {
    this.raw({ type: "ping", received: this.received });
  }

  async hello(
    sessionId: string,
    credential: { ticket: string } | { resume_token: string },
    received = 0,
    playing?: types.LiveHello["playing"],
  ): Promise<types.LiveWelcome> {
    const protocol = "svc.live.v1";
    const who = { session_id: sessionId, ...credential };
    this.raw({ type: "hello", protocol, received, ...who, ...(playing && { playing }) });
    const welcome = await this.first("welcome");
    this.#seq = welcome.received;
    return welcome;
  }

  all<Type extends types.LiveServerMessage["type"]>(type: Type): MessageOf<Type>[] {
    return this.messages.filter((message): message is MessageOf<Type> => message.type === type);
  }

  /** The first message of that type; fails when the socket closes before. */
  async first<Type extends types.LiveServerMessage["type"]>(
    type: Type,
    fits: (message: MessageOf<Type>) => boolean = () => true,
  ): Promise<MessageOf<Type>> {
    const find = (): MessageOf<Type> | undefined => this.all(type).find(fits);
    await this.until(type, () => find() !== undefined || this.closeCode !== undefined);
    const found = find();
    if (found === undefined) throw new Error(`closed with ${this.closeCode}`);
    return found;
  }

  /** The code that it was closed with. */
  async closed(): Promise<number> {
    await this.until("close", () => this.closeCode !== undefined);
    return this.closeCode!;
  }

  /** Looks again whenever something arrives. */
  async until(what: string, isSo: () => boolean): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (!isSo()) {
      await once(this.socket, "change", { signal }).catch(() => {
        const told = this.messages.map(({ type }) => type).join(", ");
        throw new Error(`no ${what} in ${PATIENCE_MS} ms; told ${told}`);
      });
    }
  }
}
