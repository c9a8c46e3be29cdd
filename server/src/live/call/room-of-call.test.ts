import { expect, test, vi } from "vitest";
import type { RoomListener } from "../media/rooms.ts";
import type { WsMedia } from "../media/ws-media.ts";
import { mediaUnderTest, sound } from "../media/media-under-test.ts";
import { RoomOfCall } from "./room-of-call.ts";

function callWithRooms() {
  vi.useFakeTimers();
  const { media, sent, time, line } = mediaUnderTest();
  const done: string[] = [];
  let listener: RoomListener | undefined;
  let rooms = 0;
  const ofCall = new RoomOfCall({
    rooms: {
      open(own) {
        done.push("open");
        listener = own;
        own.invite({ room: `r${(rooms += 1)}`, url: "ws://127.0.0.1", token: "t" });
        return {
          queuedMs: 0,
          play: () => done.push("play"),
          drop() {},
          close: () => done.push("close"),
        };
      },
    },
    media: (): WsMedia => media,
    tell: ({ type }) => done.push(type),
    note: (kind, detail) => done.push(`${kind} ${JSON.stringify(detail)}`),
    isTalking: () => true,
    onCut: () => done.push("cut"),
  });
  const hear = (): void => listener?.microphone(new Int16Array(512));
  const say = (): void => {
    hear();
    media.frame(sound(40).map((sample) => sample + 1_000));
  };
  return { ofCall, done, say, hear, sent, media, time, line, lose: () => listener!.lost() };
}

test("sound goes over the socket until the browser has joined, and then over the room", () => {
  const { ofCall, done, say, sent } = callWithRooms();
  ofCall.told({ state: "wanted" });
  expect(done).toEqual(["open", "audio_room"]);
  ofCall.told({ state: "joined", room: "r1" });
  ofCall.told({ state: "joined", room: "r1" });
  say();
  expect(done.slice(2)).toEqual(['transport {"over":"livekit"}', "play", "play"]);
  expect(sent).toEqual(["audio_start 1"]);
});

test("what the socket does not get through is cut and goes on in the room, once", () => {
  const { ofCall, done, say, hear, media, time } = callWithRooms();
  ofCall.open();
  media.frame(sound(1_000));
  media.played({ segment: 1, position_ms: 10, state: "playing" });
  ofCall.told({ state: "joined", room: "r1" });
  time.advance(1_900);
  hear();
  // It plays on.
  media.played({ segment: 1, position_ms: 20, state: "playing" });
  time.advance(1_900);
  hear();
  expect(done).not.toContain("cut");
  time.advance(200);
  hear();
  hear();
  media.clear();
  say();
  expect(done.slice(-3)).toEqual(["cut", "play", "play"]);
});

test("what may be played by a browser whose reports are held up goes on", () => {
  const { ofCall, done, hear, media, time, line } = callWithRooms();
  ofCall.open();
  media.frame(sound(1_000));
  media.played({ segment: 1, position_ms: 10, state: "playing" });
  ofCall.told({ state: "joined", room: "r1" });
  time.advance(5_000);
  line.silentMs = 4_000;
  hear();
  expect(done).not.toContain("cut");
  line.silentMs = 10;
  hear();
  expect(done).toContain("cut");
});

test("a pause is not held up, and neither is what the browser may have played to its end", () => {
  const { ofCall, done, hear, media, time } = callWithRooms();
  ofCall.open();
  media.frame(sound(1_000));
  media.played({ segment: 1, position_ms: 10, state: "playing" });
  ofCall.told({ state: "joined", room: "r1" });
  media.pause();
  time.advance(5_000);
  hear();
  media.resume();
  media.played({ segment: 1, position_ms: 800, state: "playing" });
  time.advance(5_000);
  hear();
  expect(done).not.toContain("cut");
});

test("a room that is lost while the agent speaks cuts it, and another one is opened soon", () => {
  const { ofCall, done, say, lose } = callWithRooms();
  ofCall.open();
  ofCall.told({ state: "joined", room: "r1" });
  say();
  done.length = 0;
  lose();
  ofCall.told({ state: "left", room: "r1" });
  expect(done).toEqual(["close", 'transport {"over":"ws","because":"lost"}', "cut"]);
  vi.advanceTimersByTime(6_000);
  expect(done.slice(3)).toEqual(["open", "audio_room"]);
});

test("a room that is lost while the agent still speaks over the socket cuts nothing", () => {
  const { ofCall, done, say, sent, lose } = callWithRooms();
  ofCall.open();
  say();
  ofCall.told({ state: "joined", room: "r1" });
  lose();
  say();
  expect(done.slice(3)).toEqual(["close", 'transport {"over":"ws","because":"lost"}']);
  expect(sent.filter((one) => typeof one === "number")).toEqual([480, 480, 480, 480]);
});

test("a room that cannot be reached changes nothing, and is tried again after a while", () => {
  const { ofCall, done, say, sent } = callWithRooms();
  ofCall.open();
  ofCall.told({ state: "left", room: "r1" });
  say();
  expect(done.slice(2)).toEqual(["close", 'transport {"over":"ws","because":"unreachable"}']);
  expect(sent.filter((one) => typeof one === "number")).toEqual([480, 480]);
  vi.advanceTimersByTime(59_000);
  expect(done).toHaveLength(4);
  ofCall.close();
  vi.advanceTimersByTime(60_000);
  expect(done).toHaveLength(4);
});

test("what a browser says of a room before changes nothing", () => {
  const { ofCall, done } = callWithRooms();
  ofCall.open();
  ofCall.open();
  done.length = 0;
  ofCall.told({ state: "joined", room: "r1" });
  ofCall.told({ state: "left", room: "r1" });
  ofCall.told({ state: "joined" });
  expect(done).toEqual([]);
});
