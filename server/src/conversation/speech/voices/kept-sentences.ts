import type { Sound } from "./vendor-voice.ts";

/** The greetings of some sixty agents. A sentence of three seconds is 144 KB. */
const MOST = 192;

/** The sound of sentences that are said in many calls. Those said longest ago make room. */
export class KeptSentences {
  readonly #most: number;
  readonly #sounds = new Map<string, Sound[]>();

  constructor(most: number = MOST) {
    this.#most = most;
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
    if (this.#sounds.size > this.#most && oldest !== undefined) this.#sounds.delete(oldest);
  }
}

function keyOf(voiceId: string, sentence: string): string {
  return `${voiceId} ${sentence}`;
}
