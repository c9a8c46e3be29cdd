import { EARS_SAMPLE_RATE } from "./ears.ts";
import type { Attention, Ears, Heard } from "./ears.ts";

const WORD_MS = 300;

/** Ears that know beforehand what is said: for each utterance the next transcript, whatever it sounds like. */
export class ScriptedEars implements Ears {
  readonly #next: string[] = [];
  readonly #otherwise: string;

  constructor(otherwise = "") {
    this.#otherwise = otherwise;
  }

  /** After those that were told before. */
  hears(transcripts: readonly string[]): void {
    this.#next.push(...transcripts);
  }

  attend(): Attention {
    const scripted = this.#next.shift();
    const text = scripted ?? this.#otherwise;
    return {
      hear: (pcm, kind) => Promise.resolve(kind === "final" ? sure(text) : sure(begun(text, pcm))),
      // It is said again over the next connection.
      abandon: () => {
        if (scripted !== undefined) this.#next.unshift(scripted);
      },
    };
  }
}

function sure(text: string): Heard {
  return { text, confidence: 0.99 };
}

/** As many of its words as could have been said by now. */
function begun(text: string, pcm: Int16Array): string {
  const spokenMs = (pcm.length / EARS_SAMPLE_RATE) * 1_000;
  return text
    .split(" ")
    .slice(0, 1 + Math.floor(spokenMs / WORD_MS))
    .join(" ");
}
