import fc from "fast-check";
import { expect, test } from "vitest";
import { microphoneFrames } from "./microphone-frames.ts";

test("frames are 1,024 bytes each and come as fast as they are spoken", () => {
  const rates = fc.constantFrom(16_000, 44_100, 48_000);
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 100 }), (rate, quanta) => {
      const frames: ArrayBuffer[] = [];
      const take = microphoneFrames(rate, (bytes) => frames.push(bytes));
      for (let count = 0; count < quanta; count++) take(new Float32Array(128));
      expect(frames.every(({ byteLength }) => byteLength === 1_024)).toBe(true);
      expect(new Set(frames).size).toBe(frames.length);
      const spokenMs = (quanta * 128 * 1_000) / rate;
      // A frame is 32 ms; the resampler holds 2 ms back.
      expect(frames.length * 32).toBeLessThanOrEqual(spokenMs);
      expect(frames.length * 32).toBeGreaterThan(spokenMs - 34);
    }),
  );
});

test("what is too loud is cut, not turned around", () => {
  const frames: ArrayBuffer[] = [];
  const take = microphoneFrames(16_000, (bytes) => frames.push(bytes));
  take(new Float32Array(1_024).fill(1.5));
  take(new Float32Array(1_024).fill(-1.5));
  const samples = frames.flatMap((bytes) => [...new Int16Array(bytes)]);
  expect(samples.slice(100, 900).every((sample) => sample === 32_767)).toBe(true);
  expect(samples.slice(1_124, 1_500).every((sample) => sample === -32_767)).toBe(true);
});
