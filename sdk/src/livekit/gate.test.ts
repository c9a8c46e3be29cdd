import { expect, test } from "vitest";
import { createGate } from "./gate.ts";
import type { GateOrder } from "./gate.ts";

const RATE = 48_000;
const QUANTUM = 128;

function gateUnderTest() {
  const told: string[] = [];
  let loudMs = 0;
  const gate = createGate(RATE, (report) => {
    const what = report.type === "cleared" ? "cleared" : report.state;
    told.push(`${what} ${report.segment} ${report.position_ms}`);
  });
  return {
    told,
    loudMs: () => Math.round(loudMs),
    order: (order: GateOrder) => gate.take(order),
    start: (segment: number, from_ms = 0) =>
      gate.take({
        type: "audio_start",
        seq: 1,
        segment,
        sample_rate: 24_000,
        from_ms,
        latencyMs: 0,
      }),
    /** What the room plays: so much of it, loud or silent. */
    plays(ms: number, level: number) {
      for (let left = Math.round((ms * RATE) / 1_000 / QUANTUM); left > 0; left--) {
        const output = new Float32Array(QUANTUM);
        gate.render(new Float32Array(QUANTUM).fill(level), output);
        loudMs += (output.filter((sample) => sample > 0).length / RATE) * 1_000;
      }
    },
    lastMs: () => Number(told.at(-1)?.split(" ")[2]),
  };
}

test("a segment begins with the first sound after silence, at the position that was told", () => {
  const { told, start, plays, loudMs, order, lastMs } = gateUnderTest();
  plays(100, 0);
  start(7, 60);
  plays(200, 0);
  expect(told).toEqual([]);
  plays(500, 0.5);
  expect(told[0]).toMatch(/^started 7 6\d$/);
  expect(loudMs()).toBeCloseTo(500, -1);
  order({ type: "audio_flush", seq: 1, segment: 7, length_ms: 560 });
  plays(20, 0);
  expect(told.at(-1)).toBe("finished 7 560");
  plays(200, 0.5);
  expect(loudMs()).toBeCloseTo(500, -1);
  expect(lastMs()).toBe(560);
});

test("the end of what was cut before is not taken for the beginning", () => {
  const { start, plays, loudMs, order, told } = gateUnderTest();
  plays(100, 0);
  start(1);
  plays(300, 0.5);
  order({ type: "audio_clear", seq: 1, segment: 1 });
  plays(50, 0.5);
  expect(told.at(-1)).toMatch(/^cleared 1 30\d$/);
  start(2);
  plays(100, 0.5);
  expect(loudMs()).toBeLessThan(310);
  // A gap between words that were on their way.
  plays(60, 0);
  plays(20, 0.5);
  expect(loudMs()).toBeLessThan(310);
  plays(200, 0);
  plays(100, 0.5);
  expect(told.at(-1)).toMatch(/^started 2 /);
  expect(loudMs()).toBeCloseTo(403, -1);
});

test("what fills gaps is not counted as heard, and neither was what the gate had let through before", () => {
  const { start, plays, order, lastMs } = gateUnderTest();
  order({ type: "invented", ms: 500 });
  plays(100, 0);
  start(1);
  plays(300, 0.5);
  order({ type: "invented", ms: 600 });
  plays(200, 0.5);
  order({ type: "audio_clear", seq: 1, segment: 1 });
  plays(10, 0.5);
  expect(lastMs()).toBeGreaterThan(395);
  expect(lastMs()).toBeLessThan(410);
});

test("a pause is silent at once, and after it the segment goes on from where it is sent again", () => {
  const { start, plays, order, told, loudMs, lastMs } = gateUnderTest();
  plays(100, 0);
  start(1);
  plays(300, 0.5);
  order({ type: "audio_pause", seq: 1, segment: 1 });
  plays(150, 0.5);
  expect(told.at(-1)).toMatch(/^paused 1 30\d$/);
  expect(loudMs()).toBeLessThan(310);
  order({ type: "audio_resume", seq: 1, segment: 1, from_ms: 300 });
  plays(300, 0);
  plays(100, 0.5);
  order({ type: "audio_clear", seq: 1, segment: 1 });
  plays(10, 0);
  expect(lastMs()).toBeGreaterThan(398);
  expect(lastMs()).toBeLessThan(410);
});

test("a segment is over also if it ends within a millisecond", () => {
  const { start, plays, order, told } = gateUnderTest();
  plays(100, 0);
  start(1);
  order({ type: "audio_flush", seq: 1, segment: 1, length_ms: 400.4 });
  plays(500, 0.5);
  expect(told.at(-1)).toBe("finished 1 400");
});

test("what is not loud anywhere is over, too", () => {
  const { start, plays, order, told } = gateUnderTest();
  start(1);
  order({ type: "audio_flush", seq: 1, segment: 1, length_ms: 400 });
  plays(1_500, 0.001);
  expect(told.at(-1)).toBe("finished 1 400");
  order({ type: "audio_clear", seq: 1, segment: 9 });
  expect(told.at(-1)).toBe("cleared 9 0");
});

// V3
test("words that come before they are announced are heard whole, and later", () => {
  const { start, plays, order, told, loudMs, lastMs } = gateUnderTest();
  plays(100, 0);
  plays(2_000, 0.5);
  expect(loudMs()).toBe(0);
  start(1);
  order({ type: "audio_flush", seq: 1, segment: 1, length_ms: 3_000 });
  plays(1_000, 0.5);
  expect(loudMs()).toBeCloseTo(1_000, -1);
  expect(lastMs()).toBeGreaterThan(850);
  expect(lastMs()).toBeLessThanOrEqual(1_000);
  plays(2_100, 0);
  expect(loudMs()).toBeCloseTo(3_000, -1);
  expect(told.at(-1)).toBe("finished 1 3000");
  // The next words are in time again.
  start(2);
  plays(100, 0.5);
  expect(told.at(-1)).toMatch(/^started 2 /);
});

test("a short answer that is over before it is announced is heard", () => {
  const { start, plays, order, told, loudMs } = gateUnderTest();
  plays(100, 0);
  plays(600, 0.5);
  plays(3_000, 0);
  start(1);
  order({ type: "audio_flush", seq: 1, segment: 1, length_ms: 600 });
  plays(700, 0);
  expect(loudMs()).toBeCloseTo(600, -1);
  expect(told.at(-1)).toBe("finished 1 600");
});

test("noise before the words does not delay them", () => {
  const { start, plays, told, loudMs } = gateUnderTest();
  plays(100, 0);
  plays(20, 0.1);
  plays(1_100, 0);
  start(1);
  plays(200, 0);
  expect(told).toEqual([]);
  plays(100, 0.5);
  expect(told[0]).toMatch(/^started 1 /);
  expect(loudMs()).toBeCloseTo(100, -1);
});

test("words whose announcement never comes are not kept for the next", () => {
  const { start, plays, loudMs } = gateUnderTest();
  plays(100, 0);
  plays(11_000, 0.5);
  plays(100, 0);
  start(1);
  plays(200, 0.5);
  expect(loudMs()).toBeCloseTo(200, -1);
});
