import type { TimedWord } from "../../heard/word-times.ts";

/** A piece of synthesised speech. */
export interface Sound {
  /** 24 kHz, mono, in a buffer of its own. */
  pcm: Int16Array<ArrayBuffer>;
  /** Words whose times have become known. Counted from the first sound of what is said. */
  words: TimedWord[];
}

export const VOICE_SAMPLE_RATE = 24_000;

/** The same sound, with the times of its words moved by an offset. */
export function later({ pcm, words }: Sound, offsetMs: number): Sound {
  return {
    pcm,
    words: words.map(({ text, startMs, endMs }) => ({
      text,
      startMs: startMs + offsetMs,
      ...(endMs !== undefined && { endMs: endMs + offsetMs }),
    })),
  };
}

/** Turns bytes, in pieces of any length, back into samples. */
export class PcmBytes {
  #odd: number | undefined;

  take(bytes: Uint8Array): Int16Array<ArrayBuffer> {
    const carried = this.#odd === undefined ? 0 : 1;
    const whole = new Uint8Array(carried + bytes.length);
    if (this.#odd !== undefined) whole[0] = this.#odd;
    whole.set(bytes, carried);
    this.#odd = whole.length % 2 === 1 ? whole.at(-1) : undefined;
    return new Int16Array(whole.buffer, 0, Math.floor(whole.length / 2));
  }
}

/** The greetings of some sixty agents. A sentence of three seconds is 144 KB. */
const MAX_SENTENCES = 192;

/** A cache of the sound of sentences that many sessions say. The least recently used are dropped. */
export class KeptSentences {
  readonly #max: number;
  readonly #sounds = new Map<string, Sound[]>();

  constructor(max: number = MAX_SENTENCES) {
    this.#max = max;
  }

  find(voiceId: string, sentence: string): Sound[] | undefined {
    const sounds = this.#sounds.get(keyOf(voiceId, sentence));
    if (sounds !== undefined) this.keep(voiceId, sentence, sounds);
    return sounds;
  }

  keep(voiceId: string, sentence: string, sounds: Sound[]): void {
    const key = keyOf(voiceId, sentence);
    this.#sounds.delete(key);
    this.#sounds.set(key, sounds);
    const [oldest] = this.#sounds.keys();
    if (this.#sounds.size > this.#max && oldest !== undefined) this.#sounds.delete(oldest);
  }
}

function keyOf(voiceId: string, sentence: string): string {
  return `${voiceId} ${sentence}`;
}
