import { AudioEnergyFilter } from "@livekit/agents";
import { AudioFrame } from "@livekit/rtc-node";
import { expect, test } from "vitest";
import { QuietFilter } from "./loudness.ts";

/** A tenth of a second of a tone that is so loud. */
function frameOf(loudness: number): AudioFrame {
  const peak = loudness * Math.SQRT2 * 32_768;
  const data = Int16Array.from({ length: 1_600 }, (_, at) => Math.round(peak * Math.sin(at / 4)));
  return new AudioFrame(data, 16_000, 1, data.length);
}

test("leaves out what plugins leave out", () => {
  const ours = new QuietFilter();
  const theirs = new AudioEnergyFilter();
  const loudnesses = [0.1, 0.0041, 0.0039, 0, 0.1].flatMap((loudness) =>
    Array<number>(15).fill(loudness),
  );
  const passed = loudnesses.map((loudness) => ours.passes(frameOf(loudness)));
  expect(passed).toEqual(loudnesses.map((loudness) => theirs.pushFrame(frameOf(loudness))));
  expect(passed.filter((isPassed) => !isPassed)).not.toEqual([]);
});
