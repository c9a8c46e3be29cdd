import type { Playback, Utterance } from "#conversation";
import type { VirtualTime } from "./timeline-browser.ts";

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
const SAMPLES_A_MS = 24;
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
