import { speak } from "../models/speech-models.ts";
import type { Sound, TimedWord } from "../sound.ts";

/** Says a text. Its words are those between spaces, each with its times. */
export interface Voice {
  say(text: string): Promise<Sound>;
}

const KEPT = 500;

/** A voice that can be understood, in English. What it has said once it says again at no cost. */
export class ModelVoice implements Voice {
  readonly #said = new Map<string, Promise<Sound>>();

  say(text: string): Promise<Sound> {
    const known = this.#said.get(text);
    if (known !== undefined) return known;
    if (this.#said.size >= KEPT) this.#said.clear();
    const saying = speak(text, { voice: "slt" });
    this.#said.set(text, saying);
    // What failed once may succeed the next time.
    saying.catch(() => this.#said.delete(text));
    return saying;
  }
}

const SAMPLE_RATE = 24_000;
const CHARACTER_MS = 60;
const GAP_MS = 60;
const LOUDNESS = 6_000;

/** A voice that costs nothing: a tone for each word, 60 ms a character, and as much quiet after it. */
export class ToneVoice implements Voice {
  say(text: string): Promise<Sound> {
    const words: TimedWord[] = [];
    let atMs = 0;
    for (const word of text.split(/\s+/).filter(Boolean)) {
      const endMs = atMs + word.length * CHARACTER_MS;
      words.push({ text: word, startMs: atMs, endMs });
      atMs = endMs + GAP_MS;
    }
    const pcm = new Int16Array(sampleAt(atMs));
    words.forEach(({ startMs, endMs }, index) => hum(pcm, startMs, endMs, 200 + (index % 5) * 40));
    return Promise.resolve({ pcm, sampleRate: SAMPLE_RATE, words });
  }
}

function hum(pcm: Int16Array, startMs: number, endMs: number, hertz: number): void {
  const until = sampleAt(endMs);
  for (let at = sampleAt(startMs); at < until; at += 1) {
    pcm[at] = LOUDNESS * Math.sin((2 * Math.PI * hertz * at) / SAMPLE_RATE);
  }
}

/** A whole number: an array has no sample in between. */
function sampleAt(ms: number): number {
  return Math.round((ms / 1_000) * SAMPLE_RATE);
}
