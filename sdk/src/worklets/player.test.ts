import fc from "fast-check";
import { expect, test } from "vitest";
import { OUTPUT_RATE, playerUnderTest, QUANTUM } from "./player-under-test.ts";

const QUANTUM_MS = (QUANTUM / OUTPUT_RATE) * 1_000;

function isSound(sample: number): boolean {
  return Math.abs(sample) > 0.001;
}

function positionOf(told: string | undefined): number {
  return Number(told?.split(" ")[2]);
}

test("a segment is told of when it starts, ten times a second, and when it is over", () => {
  const { output, told, start, frame, order, render } = playerUnderTest();
  start(1);
  for (let count = 0; count < 50; count++) frame(20);
  order("audio_flush", 1);
  render(1_200);
  expect(told.map((one) => one.split(" ")[0])).toEqual([
    "started",
    ...Array.from({ length: 9 }, () => "playing"),
    "finished",
  ]);
  expect(told.at(-1)).toBe("finished 1 1000");
  expect(output.filter(isSound).length).toBeCloseTo(OUTPUT_RATE, -2);
});

// V3
test("what comes too late is waited for, and no end is told of", () => {
  const { output, told, start, frame, order, render } = playerUnderTest();
  start(1);
  render(100);
  expect(told).toEqual([]);
  frame(100);
  render(500);
  expect(told).toEqual(["started 1 3"]);
  frame(100);
  order("audio_flush", 1);
  render(500);
  expect(told.at(-1)).toBe("finished 1 200");
  expect(output.filter(isSound).length / OUTPUT_RATE).toBeCloseTo(0.2, 3);
});

// V3
test("sound that still comes after a clear is not played", () => {
  const { output, told, start, frame, order, render } = playerUnderTest();
  start(1);
  frame(500);
  render(100);
  order("audio_clear", 1);
  render(10);
  const { length } = output.filter(isSound);
  frame(500);
  order("audio_flush", 1);
  render(1_000);
  expect(output.filter(isSound)).toHaveLength(length);
  expect(told.at(-1)).toBe("cleared 1 104");
});

test("every clear is answered: of a segment that is over, and of one that never came", () => {
  const { told, start, frame, order, render } = playerUnderTest();
  order("audio_clear", 7);
  start(8);
  frame(100);
  order("audio_flush", 8);
  render(200);
  order("audio_clear", 8);
  render(10);
  order("audio_clear", 7);
  expect(told.filter((one) => one.startsWith("cleared"))).toEqual([
    "cleared 7 0",
    "cleared 8 100",
    "cleared 7 0",
  ]);
});

test("a clear whose answer is owed is answered before the next segment", () => {
  const { told, start, frame, order, render } = playerUnderTest();
  start(1);
  frame(500);
  render(100);
  order("audio_clear", 1);
  start(2);
  frame(100);
  order("audio_flush", 2);
  render(200);
  expect(told.slice(-3)).toEqual(["cleared 1 101", "started 2 3", "finished 2 100"]);
});

test("what is put out counts as heard only when it has reached the ear", () => {
  const { told, start, frame, order, render } = playerUnderTest();
  start(1, 200);
  frame(400);
  order("audio_flush", 1);
  render(190);
  expect(told).toEqual([]);
  render(50);
  expect(told).toEqual(["started 1 3"]);
  render(100);
  expect(told.at(-1)).toBe("playing 1 104");
  render(270);
  expect(told.at(-1)).toBe("finished 1 400");
});

test("a pause tells of what cannot be called back", () => {
  const { told, start, frame, order, render } = playerUnderTest();
  start(1, 200);
  frame(400);
  render(100);
  order("audio_pause", 1);
  render(300);
  expect(told).toEqual(["paused 1 104"]);
  order("audio_resume", 1);
  render(10);
  expect(told.at(-1)).toBe("started 1 104");
});

test("nothing clicks: sound never jumps", () => {
  const { output, start, frame, order, render } = playerUnderTest();
  start(1);
  frame(900);
  for (let count = 0; count < 5; count++) {
    render(100);
    order("audio_pause", 1);
    render(20);
    order("audio_resume", 1);
  }
  render(600);
  frame(900);
  render(100);
  order("audio_clear", 1);
  render(20);
  const jumps = output.slice(1).map((sample, at) => Math.abs(sample - output[at]!));
  expect(Math.max(...jumps)).toBeLessThan(0.01);
});

test("what a broken server sends far ahead is passed over", () => {
  const { told, start, frame, order, render } = playerUnderTest();
  start(1);
  for (let count = 0; count < 30; count++) frame(1_000);
  order("audio_flush", 1);
  render(11_000);
  expect(told.at(-1)).toBe("finished 1 10000");
});

const command = fc.constantFrom(
  "audio_flush" as const,
  "audio_clear" as const,
  "audio_pause" as const,
  "audio_resume" as const,
);
const step = fc.oneof(
  fc.record({ frameMs: fc.constantFrom(5, 20, 100, 700) }),
  fc.record({ renderMs: fc.integer({ min: 3, max: 400 }) }),
  fc.record({ command }),
);

// V8
test("whatever happens, what is told is what was put out, and it stops within a quantum", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(0, 30, 250),
      fc.array(step, { maxLength: 40 }),
      (latency, steps) => {
        const { output, told, start, frame, order, render } = playerUnderTest();
        const playedMs = (): number => (output.filter(isSound).length / OUTPUT_RATE) * 1_000;
        const wrong: string[] = [];
        start(1, latency);
        for (const one of steps) {
          const before = told.length;
          if ("frameMs" in one) frame(one.frameMs);
          else if ("renderMs" in one) render(one.renderMs);
          else {
            order(one.command, 1);
            render(QUANTUM_MS);
            const stoppedAtMs = playedMs();
            const isStop = one.command === "audio_clear" || one.command === "audio_pause";
            if (isStop) render(50);
            if (isStop && playedMs() > stoppedAtMs) wrong.push(`sound after ${one.command}`);
            if (one.command === "audio_clear" && !told.at(-1)!.startsWith("cleared")) {
              wrong.push("a clear without an answer");
            }
          }
          for (const report of told.slice(before)) {
            const differsByMs = positionOf(report) - playedMs();
            const mayLag = report.startsWith("started") || report.startsWith("playing");
            // Of each fade some frames are too quiet to be counted here.
            if (differsByMs > 5 || (differsByMs < -1 && !mayLag)) {
              wrong.push(`${report} at ${playedMs()}`);
            }
          }
        }
        const over = told.findIndex((report) => /^(?:cleared|finished)/.test(report));
        const after = over < 0 ? [] : told.slice(over + 1);
        expect(wrong).toEqual([]);
        expect(after.filter((report) => !report.startsWith("cleared"))).toEqual([]);
        const positions = told.map(positionOf);
        expect(positions).toEqual(positions.toSorted((one, other) => one - other));
      },
    ),
  );
});
