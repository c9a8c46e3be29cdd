import type { Media } from "../conversation.ts";
import type { Utterance } from "./utterance.ts";

export interface PlaybackOptions {
  media: Pick<Media, "frame" | "flush" | "clear" | "pause" | "resume">;
  /** The visitor hears the beginning. */
  onStarted(utterance: Utterance): void;
  /** Called when more of the utterance was heard. */
  onHeard(utterance: Utterance, text: string): void;
  /** Called once for each utterance of which sound was sent. */
  onOver(end: PlaybackEnd): void;
  /** Runs a function after the current one, `setImmediate` by default. */
  soon?: (run: () => void) => void;
}

export interface PlaybackEnd {
  utterance: Utterance;
  positionMs: number;
  /** The visitor did not hear all of it: a barge-in, or they left. */
  interrupted: boolean;
  heard: string;
}

/** The playback of one utterance. */
interface Segment {
  utterance: Utterance;
  sentMs: number;
  positionMs: number;
  heardLength: number;
  hasStarted: boolean;
  isFlushed: boolean;
  isClearing: boolean;
  /** True when the visitor's side is paused at a known position. */
  isStill: boolean;
  /** Pauses that are not answered yet. Only the last answer tells the position. */
  pausesToCome: number;
}

const SAMPLES_A_MS = 24;

/** Plays utterances one at a time, and reports what was heard of each. */
export class Playback {
  readonly #options: PlaybackOptions;
  readonly #over = new WeakSet<Utterance>();
  #segment: Segment | undefined;
  #isPaused = false;
  #resuming: object | undefined;
  #clearsToCome = 0;

  constructor(options: PlaybackOptions) {
    this.#options = options;
  }

  /** True while an utterance is playing or paused. */
  get isPlaying(): boolean {
    return this.#segment !== undefined;
  }

  /** What is playing or paused, and how much of it was heard. */
  get current(): { utterance: Utterance; heard: string } | undefined {
    const segment = this.#segment;
    if (segment === undefined) return undefined;
    const { utterance, positionMs } = segment;
    return { utterance, heard: utterance.heard(positionMs) };
  }

  /** True when nothing more of the utterance will be played. */
  isOver(utterance: Utterance): boolean {
    return this.#over.has(utterance);
  }

  /** Plays sound. Sound of an utterance that is over is dropped. */
  frame(pcm: Int16Array, utterance: Utterance): void {
    if (this.isOver(utterance)) return;
    if (this.#segment !== undefined && this.#segment.utterance !== utterance) this.#endNow();
    this.#segment ??= {
      utterance,
      sentMs: 0,
      positionMs: 0,
      heardLength: 0,
      hasStarted: false,
      isFlushed: false,
      isClearing: false,
      isStill: this.#isPaused,
      pausesToCome: 0,
    };
    if (this.#segment.isClearing) return;
    this.#segment.sentMs += pcm.length / SAMPLES_A_MS;
    this.#options.media.frame(pcm);
  }

  /** All of its sound was sent. */
  flush(): void {
    const segment = this.#segment;
    if (segment === undefined || segment.isFlushed || segment.isClearing) return;
    segment.isFlushed = true;
    this.#options.media.flush();
  }

  /** Stops the current utterance. */
  clear(): void {
    const segment = this.#segment;
    // Without an utterance, a pause stays in force for the next one.
    if (segment === undefined || segment.isClearing) return;
    if (segment.isStill) this.#endNow();
    else this.#sendClear(segment);
  }

  /** Pauses the current utterance and those after it. */
  pause(): void {
    this.#resuming = undefined;
    if (this.#isPaused) return;
    this.#isPaused = true;
    if (this.#segment !== undefined) this.#segment.pausesToCome += 1;
    this.#options.media.pause();
  }

  /** Resumes, unless a clear follows at once: otherwise a barge-in would let a last syllable through. */
  resume(): void {
    if (!this.#isPaused) return;
    const resuming = {};
    this.#resuming = resuming;
    (this.#options.soon ?? setImmediate)(() => {
      if (this.#resuming !== resuming) return;
      this.#endPause();
      this.#options.media.resume();
    });
  }

  started(): void {
    const segment = this.#segment;
    if (segment === undefined || segment.hasStarted) return;
    segment.hasStarted = true;
    this.#options.onStarted(segment.utterance);
  }

  position(ms: number): void {
    const segment = this.#segment;
    if (segment === undefined || !this.#moveTo(segment, ms)) return;
    this.started();
    const heard = segment.utterance.heard(segment.positionMs);
    if (heard.length <= segment.heardLength) return;
    segment.heardLength = heard.length;
    this.#options.onHeard(segment.utterance, heard);
  }

  paused(ms: number): void {
    this.position(ms);
    const segment = this.#segment;
    if (segment === undefined) return;
    segment.pausesToCome = Math.max(0, segment.pausesToCome - 1);
    if (this.#isPaused && segment.pausesToCome === 0) segment.isStill = true;
  }

  finished(ms: number): void {
    const segment = this.#segment;
    if (segment?.isFlushed !== true) return;
    this.#moveTo(segment, ms);
    this.#end(segment, false);
  }

  cleared(ms: number): void {
    if (this.#clearsToCome > 0) this.#clearsToCome -= 1;
    const segment = this.#segment;
    // The answer may be to the clear of an earlier utterance.
    if (segment?.isClearing !== true || this.#clearsToCome > 0) return;
    this.#moveTo(segment, ms);
    this.#end(segment, true);
  }

  /** Returns true when the position advanced. It never exceeds what was sent. */
  #moveTo(segment: Segment, ms: number): boolean {
    const reached = Math.min(ms, segment.sentMs);
    if (!(reached > segment.positionMs)) return false;
    segment.positionMs = reached;
    return true;
  }

  #endNow(): void {
    const segment = this.#segment;
    if (segment === undefined) return;
    if (!segment.isClearing) this.#sendClear(segment);
    // Media may have answered within the call.
    if (this.#segment === segment) this.#end(segment, true);
  }

  #sendClear(segment: Segment): void {
    segment.isClearing = true;
    this.#clearsToCome += 1;
    // A clear ends the pause of the media.
    this.#endPause();
    this.#options.media.clear();
  }

  #endPause(): void {
    this.#isPaused = false;
    this.#resuming = undefined;
    if (this.#segment !== undefined) this.#segment.isStill = false;
  }

  #end(segment: Segment, isInterrupted: boolean): void {
    const { utterance, positionMs } = segment;
    this.#segment = undefined;
    this.#over.add(utterance);
    const heard = utterance.heard(positionMs);
    // A voice that failed midway is no interruption: the visitor heard all there was.
    const interrupted = utterance.isComplete ? heard !== utterance.written : isInterrupted;
    this.#options.onOver({ utterance, positionMs, interrupted, heard });
  }
}
