import type { Clock } from "#platform";
import type { Outgoing } from "../call/outbox.ts";
import { PlayHead } from "./play-head.ts";
import { SampleQueue } from "./sample-queue.ts";

/** The destination of sound and of the messages about it. */
export interface SoundLine {
  readonly connected: boolean;
  tell(message: Outgoing): void;
  /** Lost where there is no socket. */
  sound(pcm: Int16Array): void;
}

/** Calls `then` so much later, unless what it returns is called before. */
export type After = (ms: number, then: () => void) => () => void;

export interface SegmentOptions {
  number: number;
  line: SoundLine;
  clock: Clock;
  after: After;
}

const SAMPLE_RATE = 24_000;
const SAMPLES_PER_MS = SAMPLE_RATE / 1_000;
const FRAME_MS = 20;
const FRAME_SAMPLES = FRAME_MS * SAMPLES_PER_MS;
/** Enough to bridge a stall; what the browser holds is what a clear has to throw away. */
const MAX_AHEAD_MS = 1_000;
/** A few frames at a time: a timer for each would cost more than the sound. */
const REFILL_MS = 100;
const ROUNDED_MS = 1;

/** One thing said in one go, on its way to the browser: never far ahead of what is being played. */
export class Segment {
  readonly number: number;
  /** The visitor has heard the first of it. */
  isStarted = false;
  /** The browser has said where it stopped. */
  isSilent = false;
  readonly #options: SegmentOptions;
  readonly #waiting = new SampleQueue();
  readonly #head: PlayHead;
  #sentSamples = 0;
  #isTold = false;
  #isWhole = false;
  #isFlushed = false;
  #isPaused = false;
  #isStopped = false;
  #cancelRefill: (() => void) | undefined;

  constructor(options: SegmentOptions) {
    this.number = options.number;
    this.#options = options;
    this.#head = new PlayHead(options.clock);
  }

  /** True when the visitor will not hear the rest of the segment. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** All of it has come. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The browser knows of it. */
  get isTold(): boolean {
    return this.#isTold;
  }

  /** The browser has all of it, and knows that. */
  get isFlushed(): boolean {
    return this.#isFlushed;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** The furthest that the browser has played, as far as it said. */
  get playedMs(): number {
    return this.#head.reportedMs;
  }

  add(pcm: Int16Array): void {
    if (this.#isStopped) return;
    this.#waiting.push(pcm);
    this.#send();
  }

  flush(): void {
    this.#isWhole = true;
    this.#send();
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#head.stop();
    this.#tellIfKnown("audio_pause");
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.isStarted) this.#head.goOn();
    this.#tellIfKnown("audio_resume");
    this.#send();
  }

  /** The browser is that far. Nobody has heard what was not sent, whatever it says; and it may round. */
  report(positionMs: number, isPlaying: boolean): void {
    const isAll = positionMs > this.#sentMs - ROUNDED_MS;
    this.#head.report(isAll ? this.#sentMs : positionMs, isPlaying && !this.#isPaused);
    this.#send();
  }

  /** Stops sending frames. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.clear();
    this.#cancelRefill?.();
  }

  #tellIfKnown(type: "audio_pause" | "audio_resume"): void {
    if (this.#isTold && !this.#isStopped) {
      this.#options.line.tell({ type, segment: this.number });
    }
  }

  #send(): void {
    const { line } = this.#options;
    if (this.#isStopped || this.#isPaused || !line.connected) return;
    this.#head.limitTo(this.#sentMs);
    while (this.#hasFrame && this.#aheadMs + FRAME_MS <= MAX_AHEAD_MS) this.#sendFrame();
    if (this.#isWhole && this.#waiting.length === 0 && !this.#isFlushed) {
      this.#isFlushed = true;
      line.tell({ type: "audio_flush", segment: this.number });
    }
    this.#refillLater();
  }

  #sendFrame(): void {
    const { line } = this.#options;
    if (!this.#isTold) {
      this.#isTold = true;
      line.tell({ type: "audio_start", segment: this.number, sample_rate: SAMPLE_RATE });
    }
    const frame = this.#waiting.take(FRAME_SAMPLES);
    this.#sentSamples += frame.length;
    line.sound(frame);
  }

  #refillLater(): void {
    this.#cancelRefill?.();
    this.#cancelRefill = undefined;
    // While playback stands still, a report of the browser continues it.
    if (!this.#hasFrame || !this.#head.moves) return;
    const inMs = this.#aheadMs - (MAX_AHEAD_MS - REFILL_MS);
    this.#cancelRefill = this.#options.after(inMs, () => this.#send());
  }

  /** The last frame of a segment may be short. */
  get #hasFrame(): boolean {
    return this.#waiting.length >= FRAME_SAMPLES || (this.#isWhole && this.#waiting.length > 0);
  }

  get #sentMs(): number {
    return this.#sentSamples / SAMPLES_PER_MS;
  }

  get #aheadMs(): number {
    return this.#sentMs - this.#head.estimateMs;
  }
}
