import { expect, test } from "vitest";
import { createLife } from "./life.ts";
import type { Moment } from "./life.ts";
import { REST } from "./rig.ts";
import type { Pose } from "./rig.ts";

const LOUD = {
  context: { sampleRate: 48_000 },
  getFloatTimeDomainData: (wave: Float32Array) => wave.fill(0.5),
  getByteFrequencyData: (tones: Uint8Array) => tones.fill(120),
} as unknown as AnalyserNode;

/** The poses of a while, thirty a second. */
function live(moments: [ms: number, moment: Moment][], isCalm = false): Pose[] {
  const step = createLife({} as Element, { matches: isCalm } as MediaQueryList);
  let now = 1_000;
  return moments
    .flatMap(([ms, moment]) => Array.from({ length: ms / 33 }, () => step((now += 33), moment)))
    .filter((pose) => pose !== undefined);
}

test("it breathes and blinks, and its mouth stays shut", () => {
  const poses = live([[11_000, {}]]);
  expect(new Set(poses.map(({ breath }) => breath.toFixed(2))).size).toBeGreaterThan(20);
  expect(poses.filter(({ lids }) => lids < 0.5).length).toBeGreaterThan(3);
  expect(poses.filter(({ lids }) => lids < 0.5).length).toBeLessThan(poses.length / 10);
  expect(poses.every(({ open }) => open === 0)).toBe(true);
});

test("it greets when it is seen first, and nods when the visitor has had their say", () => {
  const deepest = (poses: Pose[]): number => Math.max(...poses.map(({ y }) => y));
  expect(deepest(live([[600, {}]]))).toBeGreaterThan(3);
  const turns = live([
    [2_000, { state: "listening" }],
    [600, { state: "thinking" }],
    [2_000, { state: "speaking" }],
    [2_000, { state: "listening" }],
  ]);
  const at = (ms: number): number => Math.floor(ms / 33);
  expect(deepest(turns.slice(0, at(2_000)))).toBeCloseTo(0);
  expect(deepest(turns.slice(at(2_000), at(2_600)))).toBeGreaterThan(3);
  expect(deepest(turns.slice(at(2_700)))).toBeCloseTo(0);
});

test("a face that nothing happens around comes to rest as it is drawn, and wakes", () => {
  const poses = live([[60_000, {}]]);
  expect(poses.length * 33).toBeGreaterThan(12_000);
  expect(poses.length * 33).toBeLessThan(16_000);
  const { phase, ...last } = poses.at(-1)!;
  for (const [part, value] of Object.entries(last)) {
    expect(value).toBeCloseTo(REST[part as keyof Pose], 1);
  }
  expect(phase).toBeGreaterThan(0);
  expect(
    live([
      [60_000, {}],
      [1_000, { state: "listening" }],
    ]).length,
  ).toBeGreaterThan(poses.length + 25);
});

test("each state has its own look", () => {
  const looks = ([undefined, "listening", "thinking"] as const).map((state) => {
    const { lift, gazeY, smile } = live([[2_000, { state }]]).at(-1)!;
    return [lift, gazeY, smile].map((value) => value.toFixed(1)).join();
  });
  expect(new Set(looks).size).toBe(3);
});

test("who wants no motion sees the mouth move, and nothing else", () => {
  for (const pose of live([[3_000, { state: "speaking", analyser: LOUD }]], true).slice(3)) {
    const { open, wide } = pose;
    expect(pose).toEqual({ ...REST, open, wide });
    expect(open).toBeGreaterThan(0.5);
  }
});
