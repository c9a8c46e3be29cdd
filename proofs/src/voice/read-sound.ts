import { resampled, transcribe } from "@svc/rehearsal";
import { foldedWords } from "./compare-words.ts";

/** Makes the words of a text and of a sound comparable. */
export interface SoundReader {
  wordsOf(text: string): string[];
  /** @param pcm as it was played: 24 kHz, mono. */
  wordsIn(pcm: Int16Array): Promise<string[]>;
  /** Of all words, how many must agree. */
  leastAgreement: number;
  /** At the end of a text, how many words may be missing in the sound. */
  mostUnheard: number;
}

const SAMPLE_RATE = 24_000;

/** By a recogniser, which mistakes a word now and then. */
export const BY_RECOGNISER: SoundReader = {
  wordsOf: foldedWords,
  async wordsIn(pcm) {
    const sound = resampled(
      { pcm: Int16Array.from(pcm), sampleRate: SAMPLE_RATE, words: [] },
      16_000,
    );
    return foldedWords((await transcribe(sound.pcm)).text);
  },
  leastAgreement: 0.6,
  mostUnheard: 2,
};

/** By the stand-in's tones: one for each word, 60 ms for each of its characters. The word that is being said counts or not. */
export const BY_TONES: SoundReader = {
  wordsOf: (text) => text.split(/\s+/).map((word) => String(word.length)),
  wordsIn: async (pcm) => toneLengths(pcm).map((ms) => String(Math.round(ms / 60))),
  leastAgreement: 0.8,
  mostUnheard: 1,
};

/** A period of the lowest tone. */
const LOOK_SAMPLES = SAMPLE_RATE / 200;
const LOOK_MS = (LOOK_SAMPLES / SAMPLE_RATE) * 1_000;
const LOUD = 1_000;

function toneLengths(pcm: Int16Array): number[] {
  const lengths: number[] = [];
  let isTone = false;
  for (let at = 0; at + LOOK_SAMPLES <= pcm.length; at += LOOK_SAMPLES) {
    const isLoud = pcm.subarray(at, at + LOOK_SAMPLES).some((sample) => Math.abs(sample) > LOUD);
    if (isLoud && !isTone) lengths.push(0);
    if (isLoud) lengths[lengths.length - 1]! += LOOK_MS;
    isTone = isLoud;
  }
  return lengths;
}
