import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PacedMicrophone } from "./paced-microphone.ts";

beforeEach(
  () => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }),
);
afterEach(() => void vi.useRealTimers());

test("frames come by the clock, and it tells when the voice in them was", async () => {
  const openedAt = performance.now();
  const frames: { atMs: number; pcm: Int16Array }[] = [];
  const microphone = new PacedMicrophone((pcm) =>
    frames.push({ atMs: performance.now() - openedAt, pcm }),
  );
  vi.advanceTimersByTime(1_000);
  expect(frames).toHaveLength(31);
  expect(frames.every(({ pcm }) => pcm.every((sample) => Math.abs(sample) < 10))).toBe(true);

  // A second in which half a second is loud.
  const clip = new Int16Array(16_000).fill(5_000, 4_000, 12_000);
  const saying = microphone.say(clip);
  vi.advanceTimersByTime(1_500);
  const { startedAt, endedAt } = await saying;
  expect(endedAt - startedAt).toBeCloseTo(500, 0);
  const loud = frames.filter(({ pcm }) => pcm.includes(5_000));
  // A frame leaves when it is full, at most a look late.
  expect(startedAt - openedAt).toBeGreaterThan(loud[0]!.atMs - 32 - 8);
  expect(startedAt - openedAt).toBeLessThan(loud[0]!.atMs);
  expect(endedAt - openedAt).toBeLessThan(loud.at(-1)!.atMs);
  expect(endedAt - openedAt).toBeGreaterThan(loud.at(-1)!.atMs - 32 - 8);
  microphone.close();
});
