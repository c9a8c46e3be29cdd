import type { Playback, Utterance } from "#conversation";
import type { Clock } from "#platform";

const REPORT_MS = 250;
const SAMPLES_A_MS = 24;

/** A report of a browser's about the sound it plays. */
export interface BrowserSays {
  segment: number;
  position_ms: number;
  state: "started" | "playing" | "paused" | "finished" | "cleared";
}

/** A visitor's browser in virtual time: plays what it gets, as it comes, and tells how far it is. */
export class TimelineBrowser {
  readonly #time: VirtualTime;
  readonly #say: (what: BrowserSays) => void;
  #segment: number | undefined;
  #receivedMs = 0;
  #playedMs = 0;
  /** While it plays: since when. */
  #sinceMs: number | undefined;
  #isPaused = false;
  #isFlushed = false;
  #hasStarted = false;
  #cancelFinish: () => void = () => {};

  constructor(time: VirtualTime, say: (what: BrowserSays) => void) {
    this.#time = time;
    this.#say = say;
  }

  /** How much of the segment was really heard. */
  playedMs(segment: number): number {
    if (segment !== this.#segment) return this.#ended.get(segment) ?? 0;
    const movedMs = this.#sinceMs === undefined ? 0 : this.#time.nowMs - this.#sinceMs;
    return Math.min(this.#receivedMs, this.#playedMs + movedMs);
  }
  readonly #ended = new Map<number, number>();

  take(message: Int16Array | { type: string; segment?: number }): void {
    if (message instanceof Int16Array) this.#play(message.length / SAMPLES_A_MS);
    else if (message.type === "audio_start") this.#begin(message.segment!);
    else if (message.segment !== this.#segment) {
      if (message.type === "audio_clear") this.#tell("cleared", message.segment!);
    } else if (message.type === "audio_flush") {
      this.#isFlushed = true;
      this.#awaitEnd();
    } else if (message.type === "audio_clear") {
      this.#end();
      this.#tell("cleared", message.segment!);
    } else if (message.type === "audio_pause") this.#pause();
    else if (message.type === "audio_resume") this.#resume();
  }

  #begin(segment: number): void {
    if (this.#segment !== undefined) this.#end();
    this.#segment = segment;
    this.#receivedMs = this.#playedMs = 0;
    this.#sinceMs = undefined;
    this.#isPaused = this.#isFlushed = this.#hasStarted = false;
  }

  #play(ms: number): void {
    if (this.#segment === undefined) return;
    this.#standStill();
    this.#receivedMs += ms;
    this.#move();
    if (this.#hasStarted || this.#isPaused) return;
    this.#hasStarted = true;
    this.#tell("started", this.#segment);
    this.#reportLater(this.#segment);
  }

  #pause(): void {
    this.#standStill();
    this.#isPaused = true;
    this.#cancelFinish();
    if (this.#segment !== undefined) this.#tell("paused", this.#segment);
  }

  #resume(): void {
    this.#isPaused = false;
    this.#move();
  }

  #standStill(): void {
    if (this.#segment !== undefined) this.#playedMs = this.playedMs(this.#segment);
    this.#sinceMs = undefined;
  }

  #move(): void {
    if (!this.#isPaused) this.#sinceMs = this.#time.nowMs;
    this.#awaitEnd();
  }

  #awaitEnd(): void {
    this.#cancelFinish();
    const segment = this.#segment;
    if (!this.#isFlushed || this.#isPaused || segment === undefined) return;
    this.#cancelFinish = this.#time.after(this.#receivedMs - this.playedMs(segment), () => {
      this.#end();
      this.#tell("finished", segment);
    });
  }

  #reportLater(segment: number): void {
    this.#time.after(REPORT_MS, () => {
      if (segment !== this.#segment) return;
      if (!this.#isPaused) this.#tell("playing", segment);
      this.#reportLater(segment);
    });
  }

  #end(): void {
    this.#cancelFinish();
    if (this.#segment !== undefined) this.#ended.set(this.#segment, this.playedMs(this.#segment));
    this.#segment = undefined;
  }

  #tell(state: BrowserSays["state"], segment: number): void {
    this.#say({ segment, position_ms: Math.floor(this.playedMs(segment)), state });
  }
}

/** Time that passes as fast as what is due can be done. */
export class VirtualTime {
  #nowMs = 0;
  /** The next one last. */
  readonly #due: { atMs: number; run: () => void }[] = [];

  readonly clock: Clock = { nowMs: () => this.#nowMs, monotonicMs: () => this.#nowMs };

  get nowMs(): number {
    return this.#nowMs;
  }

  /** In the order of time; at the same time, first come, first served. Returns what takes it back. */
  readonly after = (ms: number, run: () => void): (() => void) => {
    const one = { atMs: this.#nowMs + Math.max(0, ms), run };
    let place = this.#due.length;
    while (place > 0 && this.#due[place - 1]!.atMs <= one.atMs) place -= 1;
    this.#due.splice(place, 0, one);
    return () => void (one.run = nothing);
  };

  /** Lets time pass until it is so, at most that long. False when it never was. */
  passUntil(isSo: () => boolean, maxMs: number): boolean {
    const endMs = this.#nowMs + maxMs;
    while (!isSo()) {
      const next = this.#due.at(-1);
      if (next === undefined || next.atMs > endMs) return false;
      this.#due.pop();
      this.#nowMs = next.atMs;
      next.run();
    }
    return true;
  }
}

function nothing(): void {}

/** The sentences of one turn, and how the voice says them. */
export interface TimelineSpeech {
  sentences: string[];
  /** Of what the voice reports the time. `halves`: of each half of a word, wherever that falls. */
  times: "words" | "halves" | "sentences" | "none";
  msALetter: number;
  /** Until the first sound, and from one chunk to the next. */
  firstSoundMs: number;
  chunkMs: number;
  chunkEveryMs: number;
}

/** A word as it sounded. */
export interface SoundedWord {
  text: string;
  startMs: number;
  endMs: number;
}

/** Behind each sentence. */
const PAUSE_MS = 120;
/** The longest chunk there is, shared by all. */
const SILENCE = new Int16Array(1_000 * SAMPLES_A_MS);

/** A voice that takes as long for every letter, and gives its sound away in chunks. */
export class TimelineVoice {
  readonly words: SoundedWord[] = [];
  hasSounded = false;
  soundMs = 0;
  /** Called when all of its sound was given away. */
  onComplete: () => void = () => {};
  readonly #speech: TimelineSpeech;
  readonly #utterance: Utterance;
  readonly #time: VirtualTime;
  readonly #playback: Playback;
  readonly #sentences: string[];
  #isStopped = false;
  /** Of the sentence that is being said: what is left of its sound. */
  #leftMs = 0;

  constructor(speech: TimelineSpeech, utterance: Utterance, time: VirtualTime, playback: Playback) {
    this.#speech = speech;
    this.#utterance = utterance;
    this.#time = time;
    this.#playback = playback;
    this.#sentences = [...speech.sentences];
    time.after(speech.firstSoundMs, () => this.#goOn());
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** A chunk that was on its way when it was stopped. */
  giveLate(): void {
    if (this.hasSounded) this.#give(Math.min(this.#leftMs, this.#speech.chunkMs));
  }

  #goOn(): void {
    if (this.#isStopped) return;
    while (this.#leftMs === 0 && this.#sentences.length > 0) this.#say(this.#sentences.shift()!);
    if (this.#leftMs === 0) {
      this.#utterance.complete();
      this.#playback.flush();
      this.onComplete();
      return;
    }
    this.hasSounded = true;
    this.#give(Math.min(this.#leftMs, this.#speech.chunkMs));
    this.#time.after(this.#speech.chunkEveryMs, () => this.#goOn());
  }

  #give(ms: number): void {
    this.#leftMs -= ms;
    this.soundMs += ms;
    this.#utterance.addAudio(ms);
    this.#playback.frame(SILENCE.subarray(0, ms * SAMPLES_A_MS), this.#utterance);
  }

  #say(sentence: string): void {
    const spoken = this.#utterance.say(sentence);
    const { times, msALetter } = this.#speech;
    const startMs = this.soundMs;
    let atMs = startMs;
    for (const text of spoken.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word))) {
      const endMs = atMs + Math.max(60, text.length * msALetter);
      const word = { text, startMs: atMs, endMs };
      this.words.push(word);
      if (times === "words") this.#utterance.timed([word]);
      if (times === "halves") this.#utterance.timed(halvesOf(word));
      atMs = endMs;
    }
    if (times === "sentences") this.#utterance.timed([{ text: spoken, startMs }]);
    if (atMs > startMs) this.#leftMs = atMs - startMs + PAUSE_MS;
  }
}

function halvesOf({ text, startMs, endMs }: SoundedWord): SoundedWord[] {
  const middle = Math.floor(text.length / 2);
  const middleMs = (startMs + endMs) / 2;
  return [
    { text: text.slice(0, middle), startMs, endMs: middleMs },
    { text: text.slice(middle), startMs: middleMs, endMs },
  ];
}
