import type { Clock } from "#platform";
import type { Outgoing } from "../call/outbox.ts";
import { PlayHead } from "./play-head.ts";
import { SampleQueue } from "./sample-queue.ts";

/** The destination of sound and of the messages about it. */
export interface SoundLine {
  readonly connected: boolean;
  /** Since something last came from the browser. */
  readonly silentMs: number;
  tell(message: Outgoing): void;
  /** Lost where there is no socket. */
  sound(pcm: Int16Array): void;
}

/** Sound that travels over a room, which plays it as it comes: the browser keeps none of it. */
export interface RoomSound {
  /** What it has, and has not sent yet. */
  readonly queuedMs: number;
  play(pcm: Int16Array): void;
  /** Forgets what it has not sent. */
  drop(): void;
}

/** Calls `then` so much later, unless what it returns is called before. */
export type After = (ms: number, then: () => void) => () => void;

export interface SegmentOptions {
  number: number;
  line: SoundLine;
  clock: Clock;
  after: After;
  /** In place of the line, for the sound alone. */
  room?: RoomSound | undefined;
  /** Over a room: the browser has not stopped yet what was said before, and would take this for it. */
  awaitsStop?: boolean;
}

const SAMPLE_RATE = 24_000;
const SAMPLES_PER_MS = SAMPLE_RATE / 1_000;
const FRAME_MS = 20;
const FRAME_SAMPLES = FRAME_MS * SAMPLES_PER_MS;
/** Enough to bridge a stall; what the browser holds is what a clear has to throw away. */
const MAX_AHEAD_MS = 1_000;
/** What a room has not sent yet is lost when it is cut; it takes no more than bridges a busy moment of this process. */
const MAX_IN_ROOM_MS = 200;
/** A few frames at a time: a timer for each would cost more than the sound. */
const REFILL_MS = 100;
const ROUNDED_MS = 1;
/** A browser that has sound plays it; one that plays nothing for so long is waiting for the network. */
const HELD_UP_MS = 2_000;
/** It may have played so much since its last report, and have nothing left. */
const MAX_UNREPORTED_MS = 300;
/** A browser that talks says something every 32 ms, and pings otherwise. */
const HEARD_FROM_MS = 500;
/** 2 % of full scale: what a browser hears as the beginning of sound. */
const LOUD = 655;

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
  /** When the browser was last known to play. */
  #movedAtMs = 0;
  /** Over a room: what was sent, because what is on its way at a pause is sent again. */
  readonly #sent: Int16Array[] = [];
  /** Over a room: something is being heard since the start, or since the last pause. */
  #isFlowing = false;
  /** Over a room: silences since then, because nothing had come. The browser counts them: from where, by its count, and for how long. */
  #gaps: { atMs: number; ms: number }[] = [];
  /** Over a room: when all that it had was played. */
  #emptyAtMs = Infinity;
  /** Over a room: how much of it has left, where the rest was dropped. A browser that has not stopped yet counts silence after it. */
  #leftMs = Infinity;
  /** Over a room: so often it was told to stop, and has not said that it has. */
  #unstopped: number;
  #isTold = false;
  #isWhole = false;
  #isFlushed = false;
  #isPaused = false;
  #isStopped = false;
  #cancelRefill: (() => void) | undefined;

  constructor(options: SegmentOptions) {
    this.number = options.number;
    this.#options = options;
    this.#unstopped = options.awaitsStop ? 1 : 0;
    this.#head = new PlayHead(options.clock);
  }

  /** True when the visitor will not hear the rest of the segment. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  get isInRoom(): boolean {
    return this.#options.room !== undefined;
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

  /** It has begun over the socket, and the rest of it does not get through. */
  get isHeldUp(): boolean {
    const isPlaying = this.isStarted && !this.#isPaused && !this.#isStopped;
    if (this.isInRoom || !isPlaying || this.#sentMs - this.playedMs < MAX_UNREPORTED_MS)
      return false;
    const { clock, line } = this.#options;
    // One that is not heard either may be playing, and its reports are on their way.
    return line.silentMs < HEARD_FROM_MS && clock.monotonicMs() - this.#movedAtMs > HELD_UP_MS;
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
    this.#drop();
    if (this.isInRoom && this.#isTold) this.#unstopped += 1;
    this.#tellIfKnown("audio_pause");
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#movedAtMs = this.#options.clock.monotonicMs();
    if (this.isStarted) this.#head.goOn();
    if (this.#options.room === undefined) this.#tellIfKnown("audio_resume");
    else if (this.#unstopped === 0) this.#goBack();
    this.#send();
  }

  /** The browser has stopped what it was told to: what it hears from now on is what it is told of next. */
  stopped(): void {
    if (this.#unstopped === 0) return;
    this.#unstopped -= 1;
    if (this.#unstopped > 0) return;
    // From now on it waits for silence.
    this.#drop();
    if (this.#isPaused) return;
    this.#goBack();
    this.#send();
  }

  /** The browser is that far. Nobody has heard what was not sent, whatever it says; and it may round. */
  report(positionMs: number, isPlaying: boolean): void {
    for (const { atMs, ms } of this.#gaps.toReversed())
      positionMs -= Math.min(ms, Math.max(0, positionMs - atMs));
    if (positionMs > this.playedMs) this.#movedAtMs = this.#options.clock.monotonicMs();
    const mostMs = Math.min(this.#sentMs, this.#leftMs);
    const isAll = positionMs > mostMs - ROUNDED_MS;
    this.#head.report(isAll ? mostMs : positionMs, isPlaying && !this.#isPaused);
    // A room plays by itself, and is filled by the clock: each filling beside that costs as much as a full one.
    if (!this.isInRoom) this.#send();
  }

  /** Stops sending frames. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.clear();
    this.#cancelRefill?.();
    if (this.playedMs < this.#sentMs) this.#drop();
  }

  #drop(): void {
    const { room } = this.#options;
    if (room === undefined) return;
    this.#leftMs = Math.min(this.#leftMs, this.#sentMs - room.queuedMs);
    room.drop();
  }

  #tellIfKnown(type: "audio_pause" | "audio_resume"): void {
    if (this.#isTold && !this.#isStopped) {
      this.#options.line.tell({ type, segment: this.number });
    }
  }

  #send(): void {
    const { line } = this.#options;
    if (this.#isStopped || this.#isPaused || this.#unstopped > 0 || !line.connected) return;
    this.#head.limitTo(this.#sentMs);
    while (this.#hasFrame && this.#aheadMs + FRAME_MS <= this.#maxAheadMs) this.#sendFrame();
    // After a pause the browser waits to be told that it goes on, though nothing but silence may be left.
    const isEndTold = this.#isFlushed && (!this.isInRoom || this.#isFlowing);
    if (this.#isWhole && this.#waiting.length === 0 && !isEndTold) this.#tellEnd();
    this.#refillLater();
  }

  #sendFrame(): void {
    const { line, room } = this.#options;
    const frame = this.#waiting.take(FRAME_SAMPLES);
    if (room === undefined) {
      if (!this.#isTold) this.#tellStart();
      line.sound(frame);
    } else if (this.#flows(frame)) this.#playIn(room, frame);
    this.#sentSamples += frame.length;
    if (room !== undefined) this.#sent.push(frame);
  }

  #playIn(room: RoomSound, frame: Int16Array): void {
    const nowMs = this.#options.clock.monotonicMs();
    const idleMs = room.queuedMs > 0 ? 0 : nowMs - this.#emptyAtMs;
    if (idleMs > 0) this.#gaps.push({ atMs: this.#sentMs + this.#gapMs, ms: idleMs });
    room.play(frame);
    this.#emptyAtMs = nowMs + room.queuedMs;
  }

  /** A browser knows the first sound after silence to be what it was told of, so silence before it is not sent. */
  #flows(frame: Int16Array): boolean {
    if (this.#isFlowing) return true;
    const loud = frame.findIndex((sample) => Math.abs(sample) > LOUD);
    if (loud === -1) return false;
    this.#flowFrom(this.#sentMs + loud / SAMPLES_PER_MS);
    return true;
  }

  #flowFrom(from_ms: number): void {
    this.#isFlowing = true;
    this.#leftMs = Infinity;
    this.#gaps = [];
    this.#emptyAtMs = Infinity;
    if (this.#isTold) {
      this.#options.line.tell({ type: "audio_resume", segment: this.number, from_ms });
    } else this.#tellStart({ from_ms });
  }

  #tellStart(from: { from_ms?: number } = {}): void {
    this.#isTold = true;
    const start = { segment: this.number, sample_rate: SAMPLE_RATE, ...from };
    this.#options.line.tell({ type: "audio_start", ...start });
  }

  #tellEnd(): void {
    const { line, room } = this.#options;
    this.#isFlushed = true;
    // All of it was silent: the browser has to hear of it, to say that it is over.
    if (room !== undefined && !this.#isFlowing) this.#flowFrom(this.#sentMs);
    const length = room && { length_ms: Math.round(this.#sentMs + this.#gapMs) };
    line.tell({ type: "audio_flush", segment: this.number, ...length });
  }

  /** To where the visitor stopped hearing it: the rest was dropped, or played to nobody. */
  #goBack(): void {
    this.#isFlowing = false;
    const unheard = this.#sent.splice(Math.floor(this.#head.estimateMs / FRAME_MS));
    this.#waiting.putBack(unheard);
    for (const { length } of unheard) this.#sentSamples -= length;
  }

  #refillLater(): void {
    this.#cancelRefill?.();
    this.#cancelRefill = undefined;
    // While playback stands still, a report of the browser continues it. A room plays by itself.
    const moves = this.#options.room !== undefined || this.#head.moves;
    if (!this.#hasFrame || !moves) return;
    const inMs = this.#aheadMs - (this.#maxAheadMs - REFILL_MS);
    this.#cancelRefill = this.#options.after(inMs, () => this.#send());
  }

  /** The last frame of a segment may be short. */
  get #hasFrame(): boolean {
    return this.#waiting.length >= FRAME_SAMPLES || (this.#isWhole && this.#waiting.length > 0);
  }

  get #gapMs(): number {
    return this.#gaps.reduce((sum, { ms }) => sum + ms, 0);
  }

  get #sentMs(): number {
    return this.#sentSamples / SAMPLES_PER_MS;
  }

  get #aheadMs(): number {
    return this.#options.room?.queuedMs ?? this.#sentMs - this.#head.estimateMs;
  }

  get #maxAheadMs(): number {
    return this.#options.room === undefined ? MAX_AHEAD_MS : MAX_IN_ROOM_MS;
  }
}
