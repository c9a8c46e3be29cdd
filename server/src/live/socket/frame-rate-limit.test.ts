import { createFakeClock } from "#testing";
import { expect, test } from "vitest";
import { FrameRateLimit } from "./frame-rate-limit.ts";

/** 32 ms of a microphone. */
const FRAME_BYTES = 1_024;

function rateLimitUnderTest() {
  const clock = createFakeClock();
  const rateLimit = new FrameRateLimit(clock);
  const count = (times: number, take: () => boolean): number =>
    Array.from({ length: times }, take).filter(Boolean).length;
  return {
    clock,
    messages: (times: number) => count(times, () => rateLimit.takeMessage()),
    sounds: (times: number, bytes = FRAME_BYTES) => count(times, () => rateLimit.takeSound(bytes)),
  };
}

test("a burst passes, a flood does not, and a pause makes up for it", () => {
  const { clock, messages } = rateLimitUnderTest();
  expect(messages(1_000)).toBe(200);
  clock.advance(1_000);
  expect(messages(1_000)).toBe(50);
  clock.advance(60_000);
  expect(messages(1_000)).toBe(200);
});

test("a visitor who talks and types all the time is never held up", () => {
  const { clock, messages, sounds } = rateLimitUnderTest();
  for (let frame = 0; frame < 10_000; frame++) {
    clock.advance(32);
    expect(sounds(1) + messages(1)).toBe(2);
  }
});

// V3
test("fifteen seconds of sound that waited pass at once, beside the messages", () => {
  const { messages, sounds } = rateLimitUnderTest();
  expect(sounds(Math.ceil(15_000 / 32))).toBe(469);
  expect(messages(200)).toBe(200);
});

// S14
test("nobody makes more sound than time, in large frames or in tiny ones", () => {
  const large = rateLimitUnderTest();
  expect(large.sounds(100, 64_000)).toBe(10);
  large.clock.advance(2_000);
  expect(large.sounds(100, 64_000)).toBe(1);
  const tiny = rateLimitUnderTest();
  expect(tiny.sounds(5_000, 2)).toBe(1_000);
});
