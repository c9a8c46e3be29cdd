import { ReadableStream } from "node:stream/web";
import type { ReadableStreamDefaultController } from "node:stream/web";
import { inference, initializeLogger, voice } from "@livekit/agents";
import { AudioFrame } from "@livekit/rtc-node";

// The library logs what is said.
initializeLogger({ pretty: false, level: "silent" });

export interface BareSessionOptions {
  /** Quiet that ends an utterance. */
  quietMs: number;
  /** How long somebody must speak before the agent falls silent. */
  cutAfterMs: number;
}

/** For comparison: the library's session as it comes, with an output of its own and nothing of ours around it. */
export class BareAgentSession {
  readonly #session: voice.AgentSession;
  readonly #input = new BareInput();
  readonly #output = new BareOutput();
  #speech: voice.SpeechHandle | undefined;

  static async start(options: BareSessionOptions): Promise<BareAgentSession> {
    const bare = new BareAgentSession(options);
    await bare.#session.start({ agent: new voice.Agent({ instructions: "" }), record: false });
    return bare;
  }

  private constructor({ quietMs, cutAfterMs }: BareSessionOptions) {
    this.#session = new voice.AgentSession({
      vad: new inference.VAD({ minSilenceDuration: quietMs }),
      aecWarmupDuration: null,
      turnHandling: {
        turnDetection: "vad",
        interruption: { mode: "vad", minDuration: cutAfterMs },
      },
    });
    this.#session.input.audio = this.#input;
    this.#session.output.audio = this.#output;
  }

  /** A frame of the microphone, 16 kHz. */
  hear(pcm: Int16Array): void {
    this.#input.hear(pcm);
  }

  /** Begins to say something that takes so long. */
  async say(text: string, ms: number): Promise<void> {
    const isPlaying = this.#output.begin();
    this.#speech = this.#session.say(text, { audio: soundOf(ms) });
    await isPlaying;
  }

  /** When it first fell silent in what it says, by `performance.now`. */
  get pausedAt(): number | undefined {
    return this.#output.pausedAt;
  }

  /** Interrupts what it says, as the library does when a visitor is gone. Returns what it remembers of it. */
  async cut(): Promise<{ stored: string; playedMs: number }> {
    await this.#speech?.interrupt().waitForPlayout();
    const stored = this.#session.history.items.at(-1);
    return {
      stored: stored?.type === "message" ? (stored.textContent ?? "") : "",
      playedMs: this.#output.playedMs,
    };
  }

  async close(): Promise<void> {
    await this.#session.close();
  }
}

class BareInput extends voice.AudioInput {
  #frames!: ReadableStreamDefaultController<AudioFrame>;

  constructor() {
    super();
    this.multiStream.addInputStream(
      new ReadableStream<AudioFrame>({ start: (frames) => void (this.#frames = frames) }),
    );
  }

  hear(pcm: Int16Array): void {
    this.#frames.enqueue(new AudioFrame(pcm, 16_000, 1, pcm.length));
  }
}

/** Plays in real time until it is interrupted, and reports a position only. */
class BareOutput extends voice.AudioOutput {
  /** Of what was said last, the first time. */
  pausedAt: number | undefined;
  playedMs = 0;
  #heldAt: number | undefined;
  #startedAt: number | undefined;
  #onStarted: (() => void) | undefined;

  constructor() {
    super(SAMPLE_RATE, undefined, { pause: true });
  }

  /** Resolves when the first of what comes next is played. */
  begin(): Promise<void> {
    this.pausedAt = undefined;
    return new Promise((resolve) => void (this.#onStarted = resolve));
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    await super.captureFrame(frame);
    if (this.#startedAt !== undefined) return;
    this.#startedAt = performance.now();
    this.onPlaybackStarted(Date.now());
    this.#onStarted?.();
  }

  override clearBuffer(): void {
    if (this.#startedAt === undefined) return;
    this.playedMs = (this.#heldAt ?? performance.now()) - this.#startedAt;
    this.#startedAt = undefined;
    this.onPlaybackFinished({ playbackPosition: this.playedMs / 1_000, interrupted: true });
  }

  override pause(): void {
    this.#heldAt ??= performance.now();
    this.pausedAt ??= this.#heldAt;
  }

  override resume(): void {
    if (this.#startedAt !== undefined && this.#heldAt !== undefined) {
      this.#startedAt += performance.now() - this.#heldAt;
    }
    this.#heldAt = undefined;
  }
}

const SAMPLE_RATE = 24_000;
const FRAME_MS = 100;

function soundOf(ms: number): ReadableStream<AudioFrame> {
  const samples = (SAMPLE_RATE * FRAME_MS) / 1_000;
  const frame = (): AudioFrame => new AudioFrame(new Int16Array(samples), SAMPLE_RATE, 1, samples);
  return ReadableStream.from(Array.from({ length: ms / FRAME_MS }, frame));
}
