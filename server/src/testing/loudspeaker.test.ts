import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Loudspeaker } from "./loudspeaker.ts";
import type { LoudspeakerAnswer } from "./loudspeaker.ts";

beforeEach(
  () => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }),
);
afterEach(() => void vi.useRealTimers());

function opened() {
  const told: string[] = [];
  const loudspeaker = new Loudspeaker((answer: LoudspeakerAnswer) =>
    told.push(
      `${answer.type === "cleared" ? "cleared" : answer.state} ${Math.round(answer.position_ms)}`,
    ),
  );
  const sound = (ms: number): void => loudspeaker.sound(Buffer.alloc(ms * 48, 1));
  const tell = (type: "audio_flush" | "audio_clear" | "audio_pause" | "audio_resume"): void =>
    loudspeaker.message({ type, seq: 1, segment: 1 });
  loudspeaker.message({ type: "audio_start", seq: 1, segment: 1, sample_rate: 24_000 });
  return { loudspeaker, told, sound, tell };
}

test("it plays in real time, tells ten times a second, and says when all is out", () => {
  const { loudspeaker, told, sound, tell } = opened();
  sound(600);
  tell("audio_flush");
  vi.advanceTimersByTime(2_000);
  expect(told).toEqual([
    "started 5",
    ...[105, 205, 305, 405, 505].map((ms) => `playing ${ms}`),
    "finished 600",
  ]);
  expect(loudspeaker.heard[0]).toMatchObject({ playedMs: 600, end: "finished" });
});

test("a stall and a pause make gaps, and a clear tells where it stopped", () => {
  const { loudspeaker, told, sound, tell } = opened();
  sound(100);
  vi.advanceTimersByTime(300);
  sound(500);
  vi.advanceTimersByTime(100);
  tell("audio_pause");
  vi.advanceTimersByTime(1_000);
  tell("audio_resume");
  vi.advanceTimersByTime(50);
  tell("audio_clear");
  vi.advanceTimersByTime(1_000);
  expect(told.filter((one) => !one.startsWith("playing"))).toEqual([
    "started 5",
    "paused 200",
    "cleared 250",
  ]);
  const [segment] = loudspeaker.heard;
  expect(segment!.stretches.map(({ fromMs, ms }) => [Math.round(fromMs), Math.round(ms)])).toEqual([
    [0, 100],
    [100, 100],
    [200, 50],
  ]);
  expect(segment!.pcm).toHaveLength(250 * 24);
  expect(loudspeaker.playing).toBeUndefined();
});

test("over a room it begins with the first sound, and is over when as much as was told has been played", () => {
  const { loudspeaker, told, sound } = opened();
  const start = { seq: 2, segment: 2, sample_rate: 24_000 } as const;
  loudspeaker.message({ type: "audio_start", ...start, from_ms: 40 });
  loudspeaker.sound(Buffer.alloc(200 * 48));
  vi.advanceTimersByTime(200);
  sound(300);
  loudspeaker.message({ type: "audio_flush", seq: 3, segment: 2, length_ms: 340 });
  // The room goes on.
  loudspeaker.sound(Buffer.alloc(500 * 48));
  vi.advanceTimersByTime(1_000);
  expect(told).toEqual(["started 45", "playing 145", "playing 245", "finished 340"]);
  loudspeaker.message({ type: "audio_clear", seq: 4, segment: 9 });
  expect(told.at(-1)).toBe("cleared 0");
});
