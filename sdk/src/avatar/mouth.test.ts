import { expect, test } from "vitest";
import { createMouth } from "./mouth.ts";

/** A sound that stays as it is: its amplitude, and how strong it is below 500 Hz, around 900 and above 2,000. */
function sounding(
  amplitude: number,
  [low, middle, high]: [number, number, number] = [120, 120, 120],
): AnalyserNode {
  const bin = 48_000 / 1_024;
  return {
    context: { sampleRate: 48_000 },
    getFloatTimeDomainData: (wave: Float32Array) => wave.fill(amplitude),
    getByteFrequencyData: (tones: Uint8Array) =>
      tones
        .fill(high)
        .fill(middle, 0, 1_500 / bin)
        .fill(low, 0, 500 / bin),
  } as unknown as AnalyserNode;
}

function afterMs(ms: number, analyser: AnalyserNode | undefined, mouth = createMouth()): number {
  for (let at = 0; at < ms; at += 33) mouth(analyser, 33);
  return mouth(analyser, 0).open;
}

test("a louder voice opens the mouth further, and never beyond its corners", () => {
  const opens = [0, 0.01, 0.05, 0.2, 1].map((amplitude) => afterMs(200, sounding(amplitude)));
  expect(opens).toEqual(opens.toSorted((one, other) => one - other));
  expect(new Set(opens).size).toBe(5);
  expect(opens[0]).toBe(0);
  expect(opens[4]).toBeLessThanOrEqual(1);
});

test.each([sounding(0), sounding(0.0005), undefined])(
  "silence shuts it within 80 ms",
  (silence) => {
    const mouth = createMouth();
    expect(afterMs(200, sounding(0.5), mouth)).toBeGreaterThan(0.5);
    expect(afterMs(66, silence, mouth)).toBe(0);
  },
);

test("an open vowel opens it further than closed ones, which are spread or round", () => {
  const mouth = (bands: [number, number, number]) => {
    const read = createMouth();
    read(sounding(0.1, bands), 100);
    return read(sounding(0.1, bands), 100);
  };
  const [ah, ee, oo] = [mouth([120, 190, 110]), mouth([200, 80, 180]), mouth([200, 130, 40])];
  expect(ah.open).toBeGreaterThan(ee.open + 0.05);
  expect(ah.open).toBeGreaterThan(oo.open + 0.05);
  expect(ee.wide).toBeGreaterThan(oo.wide + 0.5);
});
