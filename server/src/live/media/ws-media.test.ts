import { expect, test } from "vitest";
import { mediaUnderTest, sound } from "./media-under-test.ts";

const frames = (count: number): number[] => Array<number>(count).fill(480);

test("a segment goes out in frames of 20 ms, and ends when the browser has played it", () => {
  const { media, sent, told } = mediaUnderTest();
  media.frame(sound(30));
  media.frame(sound(25));
  media.flush();
  expect(sent).toEqual(["audio_start 1", ...frames(2), 360, "audio_flush 1"]);
  media.played({ segment: 1, position_ms: 0, state: "started" });
  media.played({ segment: 1, position_ms: 40, state: "playing" });
  media.played({ segment: 1, position_ms: 54.999, state: "finished" });
  expect(told).toEqual(["started", "position 0", "position 40", "finished 55"]);
  media.frame(sound(20));
  expect(sent.at(-2)).toBe("audio_start 2");
});

test("sound is at most a second ahead of what is being played", () => {
  const { media, time, sent } = mediaUnderTest();
  const sentMs = (): number => sent.filter((one) => one === 480).length * 20;
  media.frame(sound(10_000));
  time.advance(5_000);
  // Nobody has heard anything yet.
  expect(sentMs()).toBe(1_000);
  media.played({ segment: 1, position_ms: 0, state: "started" });
  time.advance(250);
  expect(sentMs()).toBe(1_200);
  media.played({ segment: 1, position_ms: 200, state: "playing" });
  expect(sentMs()).toBe(1_200);
  time.advance(200);
  expect(sentMs()).toBe(1_400);
  // A browser that reports nothing more is not taken to be playing without end.
  time.advance(60_000);
  media.frame(sound(20));
  expect(sentMs()).toBe(2_200);
});

test("a pause stops the sound and the sending, once", () => {
  const { media, time, sent, told } = mediaUnderTest();
  media.frame(sound(4_000));
  media.played({ segment: 1, position_ms: 0, state: "started" });
  const before = sent.length;
  media.pause();
  media.pause();
  time.advance(3_000);
  media.played({ segment: 1, position_ms: 180, state: "paused" });
  time.advance(3_000);
  expect(sent.slice(before)).toEqual(["audio_pause 1"]);
  media.resume();
  media.resume();
  time.advance(100);
  expect(sent.slice(before)).toEqual(["audio_pause 1", "audio_resume 1", ...frames(9 + 5)]);
  expect(told).toEqual(["started", "position 0", "paused 180"]);
});

test("what begins in a pause waits for its end, or for the clear that ends it", () => {
  const { media, time, sent, told } = mediaUnderTest();
  media.pause();
  media.frame(sound(40));
  time.advance(1_000);
  expect(sent).toEqual([]);
  media.resume();
  expect(sent).toEqual(["audio_start 1", ...frames(2)]);
  media.pause();
  media.clear();
  media.frame(sound(20));
  expect(sent.slice(3)).toEqual(["audio_pause 1", "audio_clear 1", "audio_start 2", 480]);
  expect(told).toEqual([]);
});

test("a browser that answers a clear decides where it stopped", () => {
  const { media, time, sent, told } = mediaUnderTest();
  media.frame(sound(400));
  media.played({ segment: 1, position_ms: 0, state: "started" });
  media.clear();
  expect(sent.at(-1)).toBe("audio_clear 1");
  // What was on its way. Nobody unhears anything.
  media.played({ segment: 1, position_ms: 140, state: "playing" });
  media.cleared({ segment: 1, position_ms: 130 });
  media.cleared({ segment: 1, position_ms: 380 });
  time.advance(1_000);
  expect(told).toEqual(["started", "position 0", "cleared 140"]);
});

// V1, L11
test("a clear that nobody answers is answered from what was said last", () => {
  const { media, time, line, told } = mediaUnderTest();
  media.frame(sound(4_000));
  media.played({ segment: 1, position_ms: 0, state: "started" });
  media.played({ segment: 1, position_ms: 250, state: "playing" });
  line.connected = false;
  media.lost();
  media.clear();
  time.advance(299);
  expect(told.at(-1)).toBe("position 250");
  time.advance(1);
  expect(told.at(-1)).toBe("cleared 250");
});

test("a browser that is back in time says where it stopped", () => {
  const { media, time, told } = mediaUnderTest();
  media.frame(sound(1_000));
  media.played({ segment: 1, position_ms: 250, state: "playing" });
  media.lost();
  media.clear();
  media.cleared({ segment: 1, position_ms: 480 });
  expect(told.at(-1)).toBe("cleared 480");
  media.cleared({ segment: 1, position_ms: 900 });
  time.advance(1_000);
  expect(told.filter((one) => one.startsWith("cleared"))).toHaveLength(1);
});

test("nobody has heard what was not sent", () => {
  const { media, told } = mediaUnderTest();
  media.frame(sound(100));
  media.played({ segment: 1, position_ms: 5_000, state: "playing" });
  // Nor all of what is not complete.
  media.played({ segment: 1, position_ms: 5_000, state: "finished" });
  media.played({ segment: 2, position_ms: 50, state: "playing" });
  expect(told).toEqual(["started", "position 100", "position 100"]);
});

test("after a clear the next segment goes out at once, and answers keep their order", () => {
  const { media, time, sent, told } = mediaUnderTest();
  media.frame(sound(100));
  media.clear();
  media.frame(sound(40));
  expect(sent.slice(-4)).toEqual(["audio_clear 1", "audio_start 2", ...frames(2)]);
  // It plays the second and has not said where the first stopped.
  media.played({ segment: 2, position_ms: 0, state: "started" });
  expect(told).toEqual(["cleared 0", "started", "position 0"]);
  media.clear();
  media.clear();
  time.advance(300);
  expect(told.slice(3)).toEqual(["cleared 0", "cleared 0"]);
});

// V2
test("what is said while nobody is there ends unheard", () => {
  const { media, time, line, sent, told } = mediaUnderTest();
  line.connected = false;
  media.frame(sound(500));
  line.connected = true;
  media.frame(sound(500));
  media.flush();
  time.advance(300);
  expect(sent).toEqual([]);
  expect(told).toEqual(["finished 0"]);
  media.frame(sound(200));
  media.flush();
  media.played({ segment: 2, position_ms: 80, state: "playing" });
  media.lost();
  time.advance(300);
  expect(told.at(-1)).toBe("finished 80");
});

test("a new socket gets nothing of what the one before was playing", () => {
  const { media, time, sent } = mediaUnderTest();
  media.frame(sound(3_000));
  media.played({ segment: 1, position_ms: 0, state: "started" });
  const before = sent.length;
  media.lost();
  media.frame(sound(100));
  media.pause();
  media.resume();
  time.advance(2_000);
  expect(sent).toHaveLength(before);
  media.clear();
  media.frame(sound(20));
  expect(sent.slice(before)).toEqual(["audio_clear 1", "audio_start 2", 480]);
});

test("what is closed says nothing more and waits for nothing", () => {
  const { media, time, sent, told } = mediaUnderTest();
  media.frame(sound(2_000));
  media.played({ segment: 1, position_ms: 0, state: "started" });
  media.clear();
  media.close();
  media.hear(Buffer.alloc(2_048));
  const before = sent.length;
  time.advance(1_000);
  expect(told).toEqual(["started", "position 0"]);
  expect(sent).toHaveLength(before);
});

test("a browser that never says that it plays is not waited for", () => {
  const { media, time, sent, told } = mediaUnderTest();
  media.frame(sound(3_000));
  media.flush();
  time.advance(9_900);
  expect(told).toEqual([]);
  time.advance(200);
  expect(told).toEqual(["finished 0"]);
  expect(sent.at(-1)).toBe("audio_clear 1");
});

test("one that is told to hold still may", () => {
  const { media, time, told } = mediaUnderTest();
  media.frame(sound(3_000));
  media.flush();
  media.played({ segment: 1, position_ms: 0, state: "started" });
  media.pause();
  time.advance(60_000);
  expect(told.filter((one) => one.startsWith("finished"))).toEqual([]);
  media.resume();
  time.advance(10_100);
  expect(told.at(-1)).toBe("finished 0");
});
