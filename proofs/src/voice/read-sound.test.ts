import { expect, it } from "vitest";
import { BY_TONES } from "./read-sound.ts";

/** A tone for each length in characters, and as much quiet as a character after it. */
function tones(lengths: number[]): Int16Array {
  const samples = lengths.flatMap((length) => [
    ...Array.from({ length: length * 1_440 }, (_, at) => 6_000 * Math.sin(at / 19)),
    ...Array.from({ length: 1_440 }, () => 0),
  ]);
  return Int16Array.from(samples);
}

it("reads the lengths of words from tones", async () => {
  const text = "Guten Tag, was führt Sie her?";
  const words = BY_TONES.wordsOf(text);
  expect(words).toEqual(["5", "4", "3", "5", "3", "4"]);
  expect(await BY_TONES.wordsIn(tones(words.map(Number)))).toEqual(words);
});

it("hears a part of the word that was being said", async () => {
  const sound = tones([5, 4, 9]).subarray(0, (5 + 1 + 4 + 1 + 2) * 1_440);
  expect(await BY_TONES.wordsIn(sound)).toEqual(["5", "4", "2"]);
});
