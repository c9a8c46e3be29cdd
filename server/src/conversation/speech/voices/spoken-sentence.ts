import type { TimedWord } from "../../heard/word-times.ts";
import { VOICE_SAMPLE_RATE } from "./sound.ts";
import type { Sound } from "./sound.ts";

/** The silence that carries word times which arrive after all the sound. */
const TAIL_MS = 10;

/**
 * A sentence as its sound comes. The times of a word are told once all of it has sounded: a vendor
 * knows them ahead, and what it promised and never said was not heard.
 */
export class SpokenSentence {
  readonly text: string;
  #soundMs = 0;
  #told: TimedWord[] = [];
  #held: TimedWord[] = [];

  constructor(text: string) {
    this.text = text;
  }

  get hasSounded(): boolean {
    return this.#soundMs > 0;
  }

  get soundMs(): number {
    return this.#soundMs;
  }

  /** Returns the sound and words that are complete by now; `undefined` if only word times have arrived. */
  take({ pcm, words }: Sound): Sound | undefined {
    this.#held.push(...words);
    if (pcm.length === 0) return undefined;
    this.#soundMs += (pcm.length / VOICE_SAMPLE_RATE) * 1_000;
    return { pcm, words: this.#tell((word) => (word.endMs ?? word.startMs) <= this.#soundMs) };
  }

  /** All of it has come: what is still to be told. */
  end(): Sound | undefined {
    if (this.#told.length === 0 && this.#held.length === 0)
      this.#held.push({ text: this.text, startMs: 0 });
    if (this.#held.length === 0) return undefined;
    const lastMs = this.#soundMs;
    const words = this.#tell(() => true).map((word) => within(word, lastMs));
    this.#soundMs += TAIL_MS;
    return { pcm: new Int16Array((TAIL_MS / 1_000) * VOICE_SAMPLE_RATE), words };
  }

  /** The words that have not sounded. Nothing where it cannot be told which. */
  get rest(): string {
    if (!this.hasSounded) return this.text;
    if (this.#told.some(({ endMs }) => endMs === undefined)) return "";
    return this.text.split(/\s+/).slice(this.#told.length).join(" ");
  }

  #tell(isReady: (word: TimedWord) => boolean): TimedWord[] {
    const firstHeld = this.#held.findIndex((word) => !isReady(word));
    const told = this.#held.splice(0, firstHeld < 0 ? this.#held.length : firstHeld);
    this.#told.push(...told);
    return told;
  }
}

function within({ text, startMs, endMs }: TimedWord, lastMs: number): TimedWord {
  return {
    text,
    startMs: Math.min(startMs, lastMs),
    ...(endMs !== undefined && { endMs: Math.min(endMs, lastMs) }),
  };
}
