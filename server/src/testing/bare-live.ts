import { ReadableStream } from "node:stream/web";
import type { ReadableStreamDefaultController } from "node:stream/web";
import { initializeLogger, voice } from "@livekit/agents";
import { AudioFrame } from "@livekit/rtc-node";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";
import { bareSession } from "./bare-session.ts";
import type { BareLiveOrder } from "./bare-session.ts";

/**
 * A program, for comparison: the library's session with its own plugins, one for each socket. The visitor's
 * sound comes in and the agent's goes out as bare frames; nothing of ours is around it.
 */

const HEARD_RATE = 16_000;
const SPOKEN_RATE = 24_000;

class SocketInput extends voice.AudioInput {
  constructor(socket: WebSocket) {
    super();
    let frames!: ReadableStreamDefaultController<AudioFrame>;
    this.multiStream.addInputStream(
      new ReadableStream<AudioFrame>({ start: (controller) => void (frames = controller) }),
    );
    socket.on("message", (data) => {
      const pcm = new Int16Array((data as Buffer).length / 2);
      (data as Buffer).copy(new Uint8Array(pcm.buffer));
      frames.enqueue(new AudioFrame(pcm, HEARD_RATE, 1, pcm.length));
    });
  }
}

/** Takes everything as played once as much time has passed as it lasts. */
class SocketOutput extends voice.AudioOutput {
  readonly #socket: WebSocket;
  #sentMs = 0;
  #startedAt = 0;
  #playing: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket) {
    super(SPOKEN_RATE, undefined, { pause: true });
    this.#socket = socket;
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    await super.captureFrame(frame);
    if (this.#sentMs === 0) {
      this.#startedAt = performance.now();
      this.onPlaybackStarted(Date.now());
    }
    this.#sentMs += (frame.samplesPerChannel / SPOKEN_RATE) * 1_000;
    const { buffer, byteOffset, byteLength } = frame.data;
    this.#socket.send(Buffer.from(buffer, byteOffset, byteLength));
  }

  override flush(): void {
    super.flush();
    const leftMs = this.#startedAt + this.#sentMs - performance.now();
    if (this.#sentMs > 0) this.#playing = setTimeout(() => this.#end(false), leftMs);
  }

  override clearBuffer(): void {
    clearTimeout(this.#playing);
    if (this.#sentMs > 0) this.#end(true);
  }

  override pause(): void {}

  override resume(): void {}

  #end(interrupted: boolean): void {
    const playedMs = Math.min(this.#sentMs, performance.now() - this.#startedAt);
    this.#sentMs = 0;
    this.onPlaybackFinished({ playbackPosition: playedMs / 1_000, interrupted });
  }
}

initializeLogger({ pretty: false, level: "silent" });
const order = JSON.parse(process.argv[2]!) as BareLiveOrder;
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
server.on("connection", async (socket) => {
  const session = bareSession(order);
  session.input.audio = new SocketInput(socket);
  session.output.audio = new SocketOutput(socket);
  socket.once("close", () => void session.close());
  await session.start({ agent: new voice.Agent({ instructions: "" }), record: false });
});
server.on("listening", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.send?.(address.port);
});
