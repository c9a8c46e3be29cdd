import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOf, resampled, samplesOf, wordTimes } from "./sound.ts";

test("a tone stays the tone it was at another rate", () => {
  const tone = (sampleRate: number): Int16Array<ArrayBuffer> =>
    new Int16Array(sampleRate / 10).map(
      (_, at) => 8_000 * Math.sin((2 * Math.PI * 300 * at) / sampleRate),
    );
  const { pcm } = resampled({ pcm: tone(16_000), sampleRate: 16_000, words: [] }, 24_000);
  const expected = tone(24_000);
  expect(pcm).toHaveLength(expected.length);
  const worst = pcm.slice(5, -5).map((sample, at) => Math.abs(sample - expected[at + 5]!));
  expect(Math.max(...worst)).toBeLessThan(100);
});

test("samples survive the wire, and own their memory there", () => {
  fc.assert(
    fc.property(fc.int16Array(), (pcm) => {
      const back = samplesOf(bytesOf(pcm));
      expect(back).toEqual(pcm);
      expect(back.buffer.byteLength).toBe(back.byteLength);
    }),
  );
  expect(samplesOf(Uint8Array.of(1, 2, 3))).toHaveLength(1);
});

const timed = "pau:0.2 hh:0.3 ay:0.4 dh:0.5 eh:0.6 r:0.7 pau:0.9";

test("a word lasts from its first phone to its last", () => {
  expect(wordTimes(["Hi", "there"], timed, "pau hh ay pau dh eh r pau")).toEqual([
    { text: "Hi", startMs: 200, endMs: 400 },
    { text: "there", startMs: 400, endMs: 700 },
  ]);
});

test("where phones cannot be told apart, letters share them", () => {
  expect(wordTimes(["Hi", "you"], timed, "pau hh ay dh eh r pau")).toEqual([
    { text: "Hi", startMs: 200, endMs: 400 },
    { text: "you", startMs: 400, endMs: 700 },
  ]);
});

test("what makes no sound takes no time", () => {
  expect(wordTimes(["…"], "pau:0.2", "pau")).toEqual([{ text: "…", startMs: 0, endMs: 0 }]);
});
