import { expect, it } from "vitest";
import { findInterruptions } from "./silence-when-cut.ts";
import type { Recording } from "./recording-site.ts";

/** A quantum is 4 ms. */
const RATE = 32_000;

function peaks(...runs: [loud: number, ms: number][]): number[] {
  return runs.flatMap(([loud, ms]) => Array.from({ length: ms / 4 }, () => loud));
}

function recordingWith(change: Partial<Recording> = {}): Recording {
  return {
    rate: RATE,
    firstFrame: RATE,
    loudspeaker: peaks([0, 400], [0.2, 2_000], [0, 1_600], [0.2, 400]),
    microphone: peaks([0, 2_000], [0.1, 400], [0, 200], [0.1, 400], [0, 1_400]),
    orders: [{ type: "audio_pause", segment: 1, atSecs: 1 + 2.36 }],
    reports: [{ type: "cleared", segment: 1, position_ms: 2_010, atSecs: 1 + 2.5 }],
    pingsMs: [],
    marks: {},
    ...change,
  };
}

it("measures an interruption from the first of the voice to the last of the sound", () => {
  const [cut, ...others] = findInterruptions(recordingWith());
  expect(others).toEqual([]);
  expect(cut).toMatchObject({ silentAfterMs: 400, playedMs: 2_000, toldMs: 2_010 });
  expect(cut?.orderedAfterMs).toBeCloseTo(360);
});

it("passes over a voice while nothing is said, and an answer that goes on", () => {
  const early = peaks([0, 100], [0.1, 100], [0, 4_200]);
  expect(findInterruptions(recordingWith({ microphone: early }))).toEqual([]);
  const late = peaks([0, 4_100], [0.1, 300]);
  expect(findInterruptions(recordingWith({ microphone: late }))).toEqual([]);
});

it("hears no voice in the hiss of a room", () => {
  expect(findInterruptions(recordingWith({ microphone: peaks([0.005, 4_400]) }))).toEqual([]);
});
