import type { LiveAudioStart } from "@svc/contract/types";
import { afterEach, expect, test, vi } from "vitest";
import type { Sound } from "../sound/index.ts";
import { joinRoom } from "./join-room.ts";
import { roomsFor } from "./rooms-for.ts";

vi.mock("./join-room.ts", () => ({ joinRoom: vi.fn<typeof joinRoom>() }));

afterEach(() => vi.unstubAllGlobals());

class FakeNode {
  readonly port = { start() {}, addEventListener() {}, postMessage() {} };
  readonly delayTime = { value: 0 };
  readonly stream = { getTracks: () => [{}] };
  connect(next: FakeNode): FakeNode {
    return next;
  }
}

/** A call in whose rooms the agent can speak, and what its socket carries. */
async function callWithRooms() {
  vi.stubGlobal("GATE_HASH", "0");
  vi.stubGlobal("AudioWorkletNode", FakeNode);
  vi.stubGlobal("DelayNode", FakeNode);
  vi.stubGlobal("MediaStreamAudioDestinationNode", FakeNode);
  const states: string[] = [];
  const context = { audioWorklet: { addModule: async () => {} }, outputLatency: 0 };
  const sound = {
    analyser: { context },
    take: () => {},
    microphone: new FakeNode(),
    onPlayback: ({ state }: { state: string }) => states.push(state),
  } as unknown as Sound;
  Object.defineProperty(sound, "playing", { get: () => undefined, configurable: true });
  const leave = vi.fn<() => void>();
  vi.mocked(joinRoom).mockReturnValue({ isHeard: true, leave });
  const join = await roomsFor(sound);
  join({ type: "audio_room", seq: 1, url: "wss://livekit.example.com", token: "t", room: "r" });
  const { tell } = vi.mocked(joinRoom).mock.lastCall![0];
  const start: LiveAudioStart = { type: "audio_start", seq: 2, segment: 1, sample_rate: 24_000 };
  return {
    tell,
    states,
    leave,
    agentSpeaks: (where: "in the room" | "over the socket") =>
      sound.take(where === "in the room" ? { ...start, from_ms: 0 } : start),
    sound,
  };
}

test("the microphone is sent where the agent spoke last", async () => {
  const call = await callWithRooms();
  call.tell("joined");
  expect(call.sound.isSentInRoom).toBe(false);
  call.agentSpeaks("in the room");
  expect(call.sound.isSentInRoom).toBe(true);
  call.agentSpeaks("over the socket");
  expect(call.sound.isSentInRoom).toBe(false);
});

test("words announced in a room that was lost do not bring the microphone there", async () => {
  const call = await callWithRooms();
  call.tell("joined");
  call.agentSpeaks("in the room");
  call.tell("left");
  expect(call.states).toEqual(["joined", "left"]);
  expect(call.leave).toHaveBeenCalledOnce();
  call.agentSpeaks("in the room");
  expect(call.sound.isSentInRoom).toBe(false);
});
