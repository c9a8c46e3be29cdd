import fc from "fast-check";
import { expect, test } from "vitest";
import { createResampler } from "./resampler.ts";

const RATES = [8_000, 16_000, 22_050, 24_000, 44_100, 48_000, 96_000, 192_000];

function tone(hertz: number, rate: number, count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, at) =>
    Math.sin((2 * Math.PI * hertz * at) / rate),
  );
}

function resample(samples: Float32Array, from: number, to: number): number[] {
  const resampler = createResampler(from, to);
  const made: number[] = [];
  for (const sample of samples) {
    resampler.feed(sample);
    while (!resampler.isHungry()) made.push(resampler.make());
  }
  return made;
}

/** How much the middle differs from what is expected there; the ends know only half of their surroundings. */
function worstOf(made: ArrayLike<number>, expected: Float32Array): number {
  const edge = Math.ceil(made.length / 4);
  return Math.max(
    ...Array.from(made)
      .slice(edge, -edge)
      .map((sample, at) => Math.abs(sample - expected[at + edge]!)),
  );
}

const pairs = RATES.flatMap((rate) => [
  [rate, 16_000],
  [24_000, rate],
]) as [number, number][];

test.each(pairs)("a tone keeps its shape and its time from %i to %i Hz", (from, to) => {
  const hertz = 0.35 * Math.min(from, to);
  const made = resample(tone(hertz, from, from / 10), from, to);
  expect(worstOf(made, tone(hertz, to, made.length))).toBeLessThan(0.001);
});

test.each([44_100, 48_000, 96_000])("tones above 8 kHz do not fold back from %i Hz", (from) => {
  for (const hertz of [8_200, 9_000, 12_000, 15_900, 20_000]) {
    const made = resample(tone(hertz, from, from / 10), from, 16_000);
    expect(worstOf(made, new Float32Array(made.length)), `${hertz} Hz`).toBeLessThan(0.001);
  }
});

test("taking every third sample instead folds a tone back at its full strength", () => {
  const made = tone(9_000, 48_000, 4_800).filter((_, at) => at % 3 === 0);
  expect(worstOf(made, new Float32Array(made.length))).toBeGreaterThan(0.9);
});

test("so much comes out as went in, however long it lasts", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...RATES),
      fc.constantFrom(...RATES),
      fc.integer({ min: 0, max: 3_000 }),
      (from, to, count) => {
        // The kernel sees 24 crossings ahead.
        const ahead = Math.ceil(24 * Math.max(1, from / to));
        const { length } = resample(new Float32Array(count), from, to);
        expect(length).toBe(Math.max(0, Math.ceil(((count - ahead) * to) / from)));
      },
    ),
  );
});
