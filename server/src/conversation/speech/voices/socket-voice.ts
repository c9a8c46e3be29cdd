import { newUuid, parseJson } from "#platform";
import type { WebSocket } from "ws";
import type { TimedWord } from "../../heard/word-times.ts";
import { VendorAway } from "../vendor.ts";
import type { VoiceConfig } from "../vendor.ts";
import { PcmBytes } from "./sound.ts";
import type { Sound } from "./sound.ts";
import { SocketPool } from "../vendor-socket.ts";
import type { VendorVoice } from "./vendor-voice.ts";

/** A vendor's WebSocket protocol. */
export interface SocketDialect {
  provider: VoiceConfig["provider"];
  url: string;
  headers: Record<string, string>;
  /** The messages that ask for a sentence, as a context of its own. */
  ask(context: string, sentence: string): object[];
  /** The message that cancels it. Without one, the connection is closed. */
  cancel?(context: string): object;
  /** Reads the messages of one sentence. */
  reader(context: string): (message: unknown) => Piece | undefined;
}

/** The content of one message. */
export interface Piece {
  bytes?: Uint8Array | undefined;
  words?: TimedWord[] | undefined;
  isLast?: boolean | undefined;
  /** The vendor's status for what it cannot say. */
  refusal?: number | undefined;
}

/** A voice over a WebSocket. */
export class SocketVoice implements VendorVoice {
  readonly provider: VoiceConfig["provider"];
  readonly #dialect: SocketDialect;
  readonly #pool: SocketPool;

  constructor(dialect: SocketDialect) {
    this.#dialect = dialect;
    this.provider = dialect.provider;
    this.#pool = new SocketPool(dialect);
  }

  async say(sentence: string, signal: AbortSignal, onSound: (sound: Sound) => void): Promise<void> {
    const idle = this.#pool.takeIdle();
    if (idle !== undefined) {
      let hasCome = false;
      const come = (sound: Sound): void => {
        hasCome = true;
        onSound(sound);
      };
      try {
        return await this.#sayOver(idle, sentence, signal, come);
      } catch (error) {
        // The idle connection may have failed unnoticed.
        const isStale = idle.readyState !== idle.OPEN && !hasCome && !signal.aborted;
        if (!isStale) throw error;
      }
    }
    const socket = await this.#pool.connect();
    await this.#sayOver(socket, sentence, signal, onSound);
  }

  async probe(): Promise<void> {
    this.#pool.give(this.#pool.takeIdle() ?? (await this.#pool.connect()));
  }

  close(): void {
    this.#pool.close();
  }

  async #sayOver(
    socket: WebSocket,
    sentence: string,
    signal: AbortSignal,
    onSound: (sound: Sound) => void,
  ): Promise<void> {
    const { provider } = this;
    const context = newUuid();
    const read = this.#dialect.reader(context);
    const pcm = new PcmBytes();
    const over = Promise.withResolvers<void>();
    const take = ({ bytes, words = [], isLast, refusal }: Piece): void => {
      if (refusal !== undefined) throw VendorAway.answered(provider, refusal);
      if (bytes !== undefined || words.length > 0)
        onSound({ pcm: pcm.take(bytes ?? new Uint8Array()), words });
      if (isLast === true) over.resolve();
    };
    const onMessage = (data: Buffer): void => {
      try {
        take(read(parseJson(data.toString())) ?? {});
      } catch (error) {
        over.reject(error instanceof VendorAway ? error : nonsense(provider, error));
      }
    };
    const onClose = (): void => over.reject(new VendorAway(`${provider} hung up`));
    const onAbort = (): void => over.reject(signal.reason);
    socket.on("message", onMessage);
    socket.once("close", onClose);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      signal.throwIfAborted();
      for (const message of this.#dialect.ask(context, sentence)) send(socket, message);
      await over.promise;
      this.#pool.give(socket);
    } catch (error) {
      // A connection over which a vendor failed may be half dead.
      if (error instanceof VendorAway) socket.terminate();
      else this.#stop(socket, context);
      throw error;
    } finally {
      socket.off("message", onMessage);
      socket.off("close", onClose);
      signal.removeEventListener("abort", onAbort);
    }
  }

  #stop(socket: WebSocket, context: string): void {
    const cancel = this.#dialect.cancel?.(context);
    if (cancel === undefined) socket.close();
    else {
      send(socket, cancel);
      this.#pool.give(socket);
    }
  }
}

function nonsense(provider: string, cause: unknown): VendorAway {
  return new VendorAway(`${provider} says what cannot be understood`, { cause });
}

function send(socket: WebSocket, message: object): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
}
