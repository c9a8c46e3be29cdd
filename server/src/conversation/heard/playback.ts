import type { Media } from "../conversation.ts";
import type { Utterance } from "./utterance.ts";

export interface PlaybackOptions {
  media: Pick<Media, "frame" | "flush" | "clear" | "pause" | "resume">;
  /** The visitor hears the first of it. */
  onStarted(utterance: Utterance): void;
  /** More of it was heard. */
  onHeard(utterance: Utterance, text: string): void;
  /** Once for each utterance of which sound was sent. */
  onOver(end: PlaybackEnd): void;
  /** Runs something when what is under way is done. */
  soon?: (run: () => void) => void;
}

export interface PlaybackEnd {
  utterance: Utterance;
  positionMs: number;
  /** The visitor did not hear all of it: they cut in, or were gone. */
  interrupted: boolean;
  heard: string;
}

/** What is being played of one utterance. */
interface Segment {
  utterance: Utterance;
  sentMs: number;
  positionMs: number;
  heardLength: number;
  hasStarted: boolean;
  isFlushed: boolean;
  isClearing: boolean;
  /** The visitor's side stands still, and where is known. */
  isStill: boolean;
  /** Pauses whose answer is to come. Only that to the last one tells where it stands still. */
  pausesToCome: number;
}

const SAMPLES_A_MS = 24;

/** What is played, utterance by utterance, and what of it was heard. */
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

  /** Something is being played, or held in the middle of it. */
  get isPlaying(): boolean {
    return this.#segment !== undefined;
  }

  /** Nothing more of it will be played. */
  isOver(utterance: Utterance): boolean {
    return this.#over.has(utterance);
  }

  /** Sound to play. That of an utterance which is over is dropped. */
  frame(pcm: Int16Array, utterance: Utterance): void {
    if (this.isOver(utterance)) return;
    if (this.#segment !== undefined && this.#segment.utterance !== utterance) this.#cutNow();
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

  /** Cuts it. */
  clear(): void {
    const segment = this.#segment;
    // A pause goes on then: it is meant for what comes.
    if (segment === undefined || segment.isClearing) return;
    if (segment.isStill) this.#cutNow();
    else this.#sendClear(segment);
  }

  /** Holds it, and what comes after. */
  pause(): void {
    this.#resuming = undefined;
    if (this.#isPaused) return;
    this.#isPaused = true;
    if (this.#segment !== undefined) this.#segment.pausesToCome += 1;
    this.#options.media.pause();
  }

  /** Goes on, unless a clear follows at once: a visitor who cut in would hear a last syllable. */
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
    // Of an utterance that was over before its clear was answered.
    if (segment?.isClearing !== true || this.#clearsToCome > 0) return;
    this.#moveTo(segment, ms);
    this.#end(segment, true);
  }

  /** Whether it is farther than it was. Nobody hears more than was sent. */
  #moveTo(segment: Segment, ms: number): boolean {
    const reached = Math.min(ms, segment.sentMs);
    if (!(reached > segment.positionMs)) return false;
    segment.positionMs = reached;
    return true;
  }

  #cutNow(): void {
    const segment = this.#segment;
    if (segment === undefined) return;
    if (!segment.isClearing) this.#sendClear(segment);
    // Media may answer at once.
    if (this.#segment === segment) this.#end(segment, true);
  }

  #sendClear(segment: Segment): void {
    segment.isClearing = true;
    this.#clearsToCome += 1;
    // Media that are cleared are not paused any more.
    this.#endPause();
    this.#options.media.clear();
  }

  #endPause(): void {
    this.#isPaused = false;
    this.#resuming = undefined;
    if (this.#segment !== undefined) this.#segment.isStill = false;
  }

  #end(segment: Segment, isCut: boolean): void {
    const { utterance, positionMs } = segment;
    this.#segment = undefined;
    this.#over.add(utterance);
    const heard = utterance.heard(positionMs);
    // A voice that broke off was not cut: all there was has been heard.
    const interrupted = utterance.isComplete ? heard !== utterance.written : isCut;
    this.#options.onOver({ utterance, positionMs, interrupted, heard });
  }
}
