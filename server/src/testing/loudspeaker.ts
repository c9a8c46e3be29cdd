import type { LivePlayback, LiveServerMessage } from "@svc/contract/types";

const SAMPLES_PER_MS = 24;
const LOOK_MS = 5;
/** As often as the SDK, over the socket and over a room: what a call costs hangs on it. */
const REPORT_MS = 100;
/** As the SDK knows sound from silence. */
const LOUD = 131;

export type LoudspeakerAnswer =
  | { type: "playback"; segment: number; position_ms: number; state: LivePlayback["state"] }
  | { type: "cleared"; segment: number; position_ms: number };

/** Plays what comes in real time, counts what is out, and tells of it as a browser does. */
export class Loudspeaker {
  readonly heard: HeardSegment[] = [];
  readonly #answer: (answer: LoudspeakerAnswer) => void;
  readonly #timer: NodeJS.Timeout;
  #segment: HeardSegment | undefined;
  #waiting: Int16Array[] = [];
  #isPaused = false;
  #isFlushed = false;
  /** Over a room: the position of the next sound after silence, while it has not come. */
  #dueMs: number | undefined;
  /** Over a room, which plays on after the segment: how long it is. */
  #lengthMs: number | undefined;
  /** Over a room: what lies before the first sound, or was lost at a pause. */
  #skippedMs: number | undefined;
  /** Up to here by the clock, it has played or had nothing to play. */
  #playedUntil = performance.now();
  #reportedAt = 0;

  constructor(answer: (answer: LoudspeakerAnswer) => void) {
    this.#answer = answer;
    this.#timer = setInterval(() => this.#play(), LOOK_MS);
  }

  /** The segment that is playing: a browser that reconnects reports it. */
  get playing(): { segment: number; position_ms: number } | undefined {
    const last = this.heard.at(-1);
    if (last === undefined || last.end === "finished" || last.end === "cleared") return undefined;
    return { segment: last.segment, position_ms: last.playedMs };
  }

  sound(bytes: Buffer): void {
    this.#play();
    if (this.#segment === undefined) return;
    const samples = new Int16Array(bytes.byteLength / 2);
    bytes.copy(new Uint8Array(samples.buffer));
    if (this.#dueMs !== undefined) {
      if (!samples.some((sample) => Math.abs(sample) > LOUD)) return;
      this.#skippedMs = this.#dueMs - this.#segment.playedMs;
      this.#dueMs = undefined;
    }
    this.#waiting.push(samples);
  }

  message(message: LiveServerMessage): void {
    this.#play();
    switch (message.type) {
      case "audio_start":
        return this.#begin(message.segment, message.from_ms);
      case "audio_clear":
        return this.#clear(message.segment);
      case "audio_flush":
        if (message.segment !== this.#segment?.segment) return;
        this.#isFlushed = true;
        this.#lengthMs = message.length_ms;
        return;
      case "audio_pause":
        if (message.segment !== this.#segment?.segment) return;
        this.#isPaused = true;
        return this.#report("paused");
      case "audio_resume":
        if (message.segment !== this.#segment?.segment) return;
        this.#isPaused = false;
        this.#dueMs = message.from_ms;
        // A room plays on during a pause.
        if (message.from_ms !== undefined) this.#waiting = [];
        return;
      default:
        return;
    }
  }

  /** The network is gone: it stops where it is. */
  stop(): void {
    this.#play();
    if (this.#segment !== undefined) this.#end("lost");
  }

  close(): void {
    this.stop();
    clearInterval(this.#timer);
  }

  #begin(segment: number, dueMs: number | undefined): void {
    if (this.#segment !== undefined) this.#end("lost");
    this.#segment = new HeardSegment(segment);
    this.heard.push(this.#segment);
    this.#isPaused = this.#isFlushed = false;
    this.#dueMs = this.#skippedMs = dueMs;
    this.#lengthMs = undefined;
  }

  get #positionMs(): number {
    const ms = (this.#skippedMs ?? 0) + this.#segment!.playedMs;
    return Math.min(ms, this.#lengthMs ?? Infinity);
  }

  #clear(segment: number): void {
    const known = this.heard.find((one) => one.segment === segment);
    const isPlaying = known !== undefined && known === this.#segment;
    const position_ms = isPlaying ? this.#positionMs : (known?.playedMs ?? 0);
    if (isPlaying) this.#end("cleared");
    this.#answer({ type: "cleared", segment, position_ms });
  }

  #play(): void {
    const now = performance.now();
    const from = this.#playedUntil;
    this.#playedUntil = now;
    const segment = this.#segment;
    if (segment === undefined || this.#isPaused) return;
    const samples = this.#take(Math.floor((now - from) * SAMPLES_PER_MS));
    // A part of a sample is left for the next time.
    if (this.#waiting.length > 0) this.#playedUntil = from + samples.length / SAMPLES_PER_MS;
    const isFirst = segment.playedMs === 0;
    if (samples.length > 0) segment.add(samples, from);
    const isOver =
      this.#lengthMs === undefined
        ? this.#waiting.length === 0
        : this.#positionMs >= this.#lengthMs;
    if (this.#isFlushed && isOver) {
      this.#report("finished");
      this.#end("finished");
    } else if (samples.length > 0 && (isFirst || now - this.#reportedAt >= REPORT_MS)) {
      this.#report(isFirst ? "started" : "playing");
    }
  }

  #take(count: number): Int16Array {
    const taken: Int16Array[] = [];
    for (let left = count; left > 0 && this.#waiting.length > 0;) {
      const piece = this.#waiting[0]!;
      const part = piece.subarray(0, left);
      taken.push(part);
      left -= part.length;
      if (part.length === piece.length) this.#waiting.shift();
      else this.#waiting[0] = piece.subarray(part.length);
    }
    return joined(taken);
  }

  #report(state: LivePlayback["state"]): void {
    const { segment } = this.#segment!;
    this.#reportedAt = performance.now();
    this.#answer({ type: "playback", segment, position_ms: this.#positionMs, state });
  }

  #end(how: HeardSegment["end"]): void {
    this.#segment!.end = how;
    this.#segment = undefined;
    this.#waiting = [];
  }
}

/** The part of a segment that was heard. Times are those of `performance.now`. */
export class HeardSegment {
  readonly segment: number;
  /** Without a gap, each: a pause or a stall begins another one. */
  readonly stretches: { startedAt: number; fromMs: number; ms: number }[] = [];
  /** When its last sound was out. */
  stoppedAt = 0;
  end: "finished" | "cleared" | "lost" | undefined;
  readonly #sounds: Int16Array[] = [];
  #samples = 0;

  constructor(segment: number) {
    this.segment = segment;
  }

  get playedMs(): number {
    return this.#samples / SAMPLES_PER_MS;
  }

  /** The samples that were really played. */
  get pcm(): Int16Array {
    return joined(this.#sounds);
  }

  add(samples: Int16Array, at: number): void {
    const ms = samples.length / SAMPLES_PER_MS;
    const last = this.stretches.at(-1);
    if (last !== undefined && at - (last.startedAt + last.ms) < 1) last.ms += ms;
    else this.stretches.push({ startedAt: at, fromMs: this.playedMs, ms });
    this.#sounds.push(samples);
    this.#samples += samples.length;
    this.stoppedAt = at + ms;
  }
}

function joined(pieces: Int16Array[]): Int16Array {
  const whole = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
