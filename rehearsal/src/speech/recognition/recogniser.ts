import type { SpeechFaultKind } from "../fault.ts";
import { transcribe } from "../models/speech-models.ts";

/** Turns sound into words. */
export interface Recogniser {
  /** An utterance begins. */
  attend(): Attention;
}

/** What is heard of one utterance. */
export interface Attention {
  /** Of all its sound so far: mono, 16 kHz. An interim transcript may wait until finals are made. */
  hear(pcm: Int16Array, kind: "interim" | "final"): Promise<Heard>;
  /** Nobody was told what it said. */
  abandon(): void;
}

export interface Heard {
  /** Empty for sounds that are no words. */
  text: string;
  /** From 0 to 1. */
  confidence: number;
}

export const RECOGNISER_SAMPLE_RATE = 16_000;

/** The fault `garbage` hears words that do not exist. */
export function garbled(text: string, fault: SpeechFaultKind | undefined): string {
  return fault === "garbage" && text !== "" ? "Brillig ploverine sant umbrelic vox." : text;
}

/** A hum is short, and the model puts unlikely words into it. */
const SHORT_SECS = 1.2;
const SURE = 0.65;

/** Understands what is said, in English. */
export class ModelRecogniser implements Recogniser {
  attend(): Attention {
    return {
      async hear(pcm, kind) {
        const { text, confidence } = await transcribe(pcm, { isUrgent: kind === "final" });
        const isHum = pcm.length < SHORT_SECS * RECOGNISER_SAMPLE_RATE && confidence < SURE;
        return { text: isHum ? "" : text, confidence };
      },
      abandon() {},
    };
  }
}

const WORD_MS = 300;

/** Knows beforehand what is said: for each utterance the next transcript, whatever it sounds like. */
export class ScriptedRecogniser implements Recogniser {
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
      hear: (pcm, kind) =>
        Promise.resolve({
          text: kind === "final" ? text : begun(text, pcm),
          confidence: 0.99,
        }),
      // It is said again over the next connection.
      abandon: () => {
        if (scripted !== undefined) this.#next.unshift(scripted);
      },
    };
  }
}

/** As many of its words as could have been said by now. */
function begun(text: string, pcm: Int16Array): string {
  const spokenMs = (pcm.length / RECOGNISER_SAMPLE_RATE) * 1_000;
  return text
    .split(" ")
    .slice(0, 1 + Math.floor(spokenMs / WORD_MS))
    .join(" ");
}
