import { ReadableStream } from "node:stream/web";
import type { ReadableStreamDefaultController } from "node:stream/web";
import { inference, initializeLogger, voice } from "@livekit/agents";
import { STT } from "@livekit/agents-plugin-deepgram";
import { LLM, TTS } from "@livekit/agents-plugin-openai";
import { AudioFrame } from "@livekit/rtc-node";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";

/**
 * A program, for comparison: the library's session with its own plugins, one for each socket. The visitor's
 * sound comes in and the agent's goes out as bare frames; nothing of ours is around it.
 */

/** What it is told, as JSON in its first argument. */
export interface BareLiveOrder {
  speechUrl: string;
  modelUrl: string;
}

const HEARD_RATE = 16_000;
const SPOKEN_RATE = 24_000;
const QUIET_MS = 250;
const CUT_AFTER_MS = 288;
const RESUME_AFTER_MS = 300;

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
const { speechUrl, modelUrl } = JSON.parse(process.argv[2]!) as BareLiveOrder;
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
server.on("connection", async (socket) => {
  const session = new voice.AgentSession({
    stt: new STT({
      apiKey: "test",
      baseUrl: speechUrl.replace("http", "ws"),
      model: "nova-3",
      language: "en",
      interimResults: true,
      endpointing: 25,
      fillerWords: false,
    }),
    llm: new LLM({ apiKey: "test", baseURL: modelUrl, model: "scripted" }),
    tts: new TTS({
      apiKey: "test",
      baseURL: `${speechUrl}/v1`,
      model: "tts-1",
      voice: "alloy",
      speed: 1,
    }),
    vad: new inference.VAD({ minSilenceDuration: QUIET_MS, maxBufferedSpeech: 20_000 }),
    aecWarmupDuration: null,
    userAwayTimeout: null,
    useTtsAlignedTranscript: false,
    ttsTextTransforms: null,
    turnHandling: {
      turnDetection: "vad",
      endpointing: { minDelay: QUIET_MS, maxDelay: 2_000 },
      interruption: {
        mode: "vad",
        minDuration: CUT_AFTER_MS,
        falseInterruptionTimeout: RESUME_AFTER_MS,
      },
      preemptiveGeneration: { enabled: false },
    },
  });
  session.input.audio = new SocketInput(socket);
  session.output.audio = new SocketOutput(socket);
  socket.once("close", () => void session.close());
  await session.start({ agent: new voice.Agent({ instructions: "" }), record: false });
});
server.on("listening", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.send?.(address.port);
});
