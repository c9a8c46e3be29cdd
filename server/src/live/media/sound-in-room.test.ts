import { expect, test } from "vitest";
import type { Outgoing } from "../call/outbox.ts";
import { mediaUnderTest, sound } from "./media-under-test.ts";
import type { RoomSound } from "./segment.ts";

/** A room in virtual time. It plays what it gets, one millisecond after the other. */
function inRoom() {
  const messages: Outgoing[] = [];
  const under = mediaUnderTest((one) => void ("type" in one && messages.push(one)));
  const played: Int16Array[] = [];
  let endsAtMs = 0;
  const nowMs = (): number => under.time.clock.monotonicMs();
  const room: RoomSound & { mostQueuedMs: number; drops: number } = {
    mostQueuedMs: 0,
    drops: 0,
    get queuedMs() {
      return Math.max(0, endsAtMs - nowMs());
    },
    play(pcm) {
      played.push(pcm);
      endsAtMs = Math.max(endsAtMs, nowMs()) + pcm.length / 24;
      room.mostQueuedMs = Math.max(room.mostQueuedMs, room.queuedMs);
    },
    drop() {
      room.drops += 1;
      endsAtMs = 0;
    },
  };
  under.media.use(room);
  under.media.hearInRoom(new Int16Array(512));
  const playedSamples = (): Int16Array => Int16Array.from(played.flatMap((pcm) => [...pcm]));
  return { ...under, room, messages, played, playedSamples };
}

const silence = (ms: number): Int16Array => new Int16Array(ms * 24);
/** Loud, and each sample another. */
const speech = (ms: number): Int16Array => sound(ms).map((sample) => sample + 1_000);

test("over a room sound goes at its own pace, whatever the browser reports, and never far ahead", () => {
  const { media, time, room, messages, playedSamples } = inRoom();
  media.frame(speech(3_000));
  media.flush();
  time.advance(1_000);
  expect(playedSamples().length / 24).toBeGreaterThan(1_000);
  expect(playedSamples().length / 24).toBeLessThanOrEqual(1_200);
  time.advance(3_000);
  expect(playedSamples()).toEqual(speech(3_000));
  expect(room.mostQueuedMs).toBeLessThanOrEqual(200);
  expect(messages).toEqual([
    { type: "audio_start", segment: 1, sample_rate: 24_000, from_ms: 0 },
    { type: "audio_flush", segment: 1, length_ms: 3_000 },
  ]);
});

test("reports of the browser, whenever they come, fill the room no more often than the clock does", () => {
  const { media, time, room } = inRoom();
  const filledAtMs = new Set<number>();
  const { play } = room;
  room.play = (pcm) => {
    filledAtMs.add(time.clock.monotonicMs());
    play(pcm);
  };
  media.frame(speech(3_000));
  for (let count = 0; count < 20; count += 1) {
    time.advance(count % 2 === 0 ? 90 : 110);
    media.played({ segment: 1, position_ms: 100 * count, state: "playing" });
  }
  expect(filledAtMs.size).toBeLessThanOrEqual(21);
});

test("silence before the first sound is left out, and the browser knows where it begins", () => {
  const { media, messages, playedSamples } = inRoom();
  media.frame(silence(90));
  expect(messages).toEqual([]);
  media.frame(speech(100));
  expect(messages).toMatchObject([{ type: "audio_start", from_ms: 90 }]);
  // The frame of 20 ms in which it begins is sent whole.
  expect(playedSamples()).toEqual(Int16Array.from([...silence(10), ...speech(90)]));
});

test("of what is silent all through the browser hears that it is over", () => {
  const { media, messages } = inRoom();
  media.frame(silence(100));
  media.flush();
  expect(messages).toMatchObject([{ from_ms: 100 }, { type: "audio_flush", length_ms: 100 }]);
});

test("after a pause it goes on where the visitor stopped hearing it", () => {
  const { media, time, room, messages, played, playedSamples } = inRoom();
  media.frame(speech(2_000));
  time.advance(500);
  media.played({ segment: 1, position_ms: 400, state: "playing" });
  media.pause();
  expect(room.drops).toBe(1);
  media.played({ segment: 1, position_ms: 450, state: "paused" });
  time.advance(1_000);
  played.length = 0;
  media.resume();
  media.flush();
  time.advance(3_000);
  expect(messages).toContainEqual({ type: "audio_resume", segment: 1, from_ms: 440 });
  expect(playedSamples()).toEqual(speech(2_000).slice(440 * 24));
  media.played({ segment: 1, position_ms: 2_000, state: "finished" });
  expect(room.drops).toBe(2);
});

test("what is cleared is dropped, and what was heard of it is told", () => {
  const { media, time, room, told } = inRoom();
  media.frame(speech(2_000));
  time.advance(500);
  media.played({ segment: 1, position_ms: 300, state: "playing" });
  media.clear();
  expect(room.drops).toBe(1);
  media.cleared({ segment: 1, position_ms: 420 });
  expect(told.at(-1)).toBe("cleared 420");
});

test("the microphone is heard over the socket until the agent speaks in the room, and never twice", () => {
  const { media, told, messages } = inRoom();
  const frame = new Int16Array(512);
  const hearBoth = (): void => {
    media.hear(Buffer.from(frame.buffer));
    media.hearInRoom(frame.map(() => 1));
  };
  hearBoth();
  media.frame(speech(100));
  hearBoth();
  expect(told).toEqual(["microphone 512", "microphone 512"]);
  media.use(undefined);
  hearBoth();
  expect(told).toHaveLength(3);
  media.clear();
  media.frame(speech(100));
  expect(messages.filter(({ type }) => type === "audio_start").at(-1)).not.toHaveProperty(
    "from_ms",
  );
});

test("the last sound of a room that was left does not open the next one", () => {
  const { media, room, messages } = inRoom();
  media.use(undefined);
  media.hearInRoom(new Int16Array(512));
  media.use(room);
  media.frame(speech(100));
  expect(messages).toEqual([{ type: "audio_start", segment: 1, sample_rate: 24_000 }]);
});

test("silence in which nothing had come to say counts as nothing heard", () => {
  const { media, time, messages, told } = inRoom();
  media.frame(speech(500));
  time.advance(500);
  media.played({ segment: 1, position_ms: 500, state: "playing" });
  // The model thinks for two seconds.
  time.advance(2_000);
  media.frame(speech(1_000));
  time.advance(1_000);
  media.flush();
  // The browser has played half a second, two of silence, and then three quarters.
  media.played({ segment: 1, position_ms: 3_250, state: "playing" });
  expect(told.at(-1)).toBe("position 1250");
  expect(messages).toContainEqual({ type: "audio_flush", segment: 1, length_ms: 3_500 });
  media.played({ segment: 1, position_ms: 3_500, state: "finished" });
  expect(told.at(-1)).toBe("finished 1500");
});

test("after a cut nothing is sent until the browser has stopped, which would take it for what it stops", () => {
  const { media, time, messages, playedSamples, played } = inRoom();
  media.frame(speech(1_000));
  time.advance(300);
  media.played({ segment: 1, position_ms: 200, state: "playing" });
  media.clear();
  time.advance(400);
  played.length = 0;
  media.frame(speech(200));
  media.flush();
  time.advance(1_000);
  expect(playedSamples()).toHaveLength(0);
  media.cleared({ segment: 1, position_ms: 300 });
  time.advance(500);
  expect(playedSamples()).toEqual(speech(200));
  expect(messages.slice(-2)).toMatchObject([{ type: "audio_start", segment: 2 }, { segment: 2 }]);
});

test("nobody waits for a browser that is gone to stop", () => {
  const { media, room, time, playedSamples, played } = inRoom();
  media.frame(speech(1_000));
  time.advance(300);
  media.lost();
  media.use(undefined);
  media.clear();
  time.advance(1_000);
  played.length = 0;
  media.use(room);
  media.hearInRoom(new Int16Array(512));
  media.frame(speech(200));
  expect(playedSamples()).toEqual(speech(200));
});

test("what goes on before the browser has paused is sent again from where it says it paused", () => {
  const { media, time, messages, played, playedSamples } = inRoom();
  media.frame(speech(2_000));
  media.flush();
  time.advance(500);
  media.played({ segment: 1, position_ms: 400, state: "playing" });
  media.pause();
  played.length = 0;
  media.resume();
  time.advance(1_000);
  expect(playedSamples()).toHaveLength(0);
  media.played({ segment: 1, position_ms: 480, state: "paused" });
  time.advance(3_000);
  expect(messages).toContainEqual({ type: "audio_resume", segment: 1, from_ms: 480 });
  expect(playedSamples()).toEqual(speech(2_000).slice(480 * 24));
});

test("a pause at the very end is ended, too", () => {
  const { media, time, messages } = inRoom();
  media.frame(speech(500));
  media.flush();
  time.advance(600);
  media.pause();
  media.played({ segment: 1, position_ms: 500, state: "paused" });
  media.resume();
  expect(messages.slice(-2)).toEqual([
    { type: "audio_resume", segment: 1, from_ms: 500 },
    { type: "audio_flush", segment: 1, length_ms: 500 },
  ]);
});

test("who unmutes in a room is heard at once, though the message comes later", () => {
  const { media, told } = inRoom();
  media.frame(speech(100));
  media.mute(true);
  told.length = 0;
  media.hear(Buffer.from(new Int16Array(512).buffer));
  expect(told).toEqual([]);
  media.hearInRoom(new Int16Array(512));
  expect(told).toEqual(["microphone 512"]);
});
