import { expect, test } from "vitest";
import { judgePlaying, rising } from "./judge-playing.ts";

const RATE = 48_000;
const QUANTUM = 128;

/** So many quanta of the tone from a frame on, at its full strength, and a pause. */
function stretch(fromFrame: number, quanta: number): number[] {
  const sound = Array.from(
    { length: quanta * QUANTUM },
    (_, at) => 16_000 * Math.sin(rising((fromFrame + at) / RATE)),
  );
  return [...sound, ...Array.from({ length: 4 * QUANTUM }, () => 0)];
}

const reports = [
  { type: "playback", state: "started", position_ms: 3 },
  { type: "playback", state: "paused", position_ms: 267 },
  { type: "cleared", position_ms: 533 },
] as const;
const samples = Int16Array.from([...stretch(0, 100), ...stretch(100 * QUANTUM, 100)]);

test("a page that tells what it has played passes", () => {
  const verdict = judgePlaying({ reports: [...reports], samples }, RATE);
  expect(verdict.worstMs).toBeLessThan(1);
  expect(verdict.worstSample).toBeLessThan(0.001);
  expect(verdict.stops).toBe(2);
});

test("a position that is off is noticed", () => {
  const off = reports.map((one) => ({ ...one, position_ms: one.position_ms + 30 }));
  expect(judgePlaying({ reports: off, samples }, RATE).worstMs).toBeGreaterThan(29);
});

test("a quantum that was left out after a pause is noticed", () => {
  const skipped = Int16Array.from([...stretch(0, 100), ...stretch(101 * QUANTUM, 100)]);
  const { worstSample } = judgePlaying({ reports: [...reports], samples: skipped }, RATE);
  expect(worstSample).toBeGreaterThan(0.1);
});

test("sound that goes on through a pause is noticed", () => {
  const unbroken = Int16Array.from(stretch(0, 200));
  const { worstMs } = judgePlaying({ reports: [...reports], samples: unbroken }, RATE);
  expect(worstMs).toBe(Number.POSITIVE_INFINITY);
});
