import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Sound } from "../sound/index.ts";
import { loadChunk } from "./load-chunk.ts";
import { createVoice } from "./voice.ts";
import type { Voice } from "./voice.ts";

vi.mock("./load-chunk.ts", () => ({ loadChunk: vi.fn<typeof loadChunk>() }));

const FRAME = new ArrayBuffer(960);
const START = { type: "audio_start", seq: 1, segment: 4, sample_rate: 24_000 } as const;

function fakeSound() {
  return {
    onMicrophone() {},
    onLevel() {},
    onPlayback() {},
    onMicrophoneLost() {},
    take: vi.fn<Sound["take"]>(),
    play: vi.fn<Sound["play"]>(),
    stop: vi.fn<Sound["stop"]>(),
    setMuted: vi.fn<Sound["setMuted"]>(),
    useDevice: vi.fn<Sound["useDevice"]>(),
    playing: undefined,
    close: vi.fn<Sound["close"]>(),
  };
}

let closedContexts = 0;
let contextState = "running";
beforeEach(() => {
  closedContexts = 0;
  contextState = "running";
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal(
    "AudioContext",
    class {
      // One that may not sound is waited for without end.
      resume = (): Promise<void> =>
        contextState === "running" ? Promise.resolve() : new Promise(() => {});
      get state(): string {
        return contextState;
      }
      close = async (): Promise<void> => void (closedContexts += 1);
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A voice that was started, and what the browser says about its microphone. */
function started() {
  const sound = fakeSound();
  const asked = Promise.withResolvers<typeof sound>();
  vi.mocked(loadChunk).mockResolvedValue({ openSound: () => asked.promise } as never);
  const voice = createVoice();
  voice.onPlayback = vi.fn<Voice["onPlayback"]>();
  voice.start();
  return {
    voice,
    sound,
    allow: async () => {
      asked.resolve(sound);
      await vi.advanceTimersByTimeAsync(0);
    },
    refuse: async (error: Error) => {
      asked.reject(error);
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

test("what the agent says while the browser asks is played once it is allowed", async () => {
  const { voice, sound, allow } = started();
  voice.take(START);
  voice.take(FRAME);
  await vi.advanceTimersByTimeAsync(2_100);
  expect(voice.state).toBe("asking");
  expect(voice.onPlayback).toHaveBeenLastCalledWith({
    type: "playback",
    segment: 4,
    position_ms: 0,
    state: "paused",
  });
  await allow();
  expect(voice.state).toBe("open");
  expect(sound.take).toHaveBeenCalledWith(START);
  expect(sound.play).toHaveBeenCalledWith(FRAME);
});

// V6
test("a microphone that cannot be had leaves the name of the error, and nothing open", async () => {
  const { voice, refuse } = started();
  await refuse(new Error("microphone", { cause: new DOMException("", "NotAllowedError") }));
  expect([voice.state, voice.trouble, closedContexts]).toEqual(["off", "NotAllowedError", 1]);
});

// V6
test("a microphone that goes away in the middle is a problem too", async () => {
  const { voice, sound, allow } = started();
  await allow();
  sound.onMicrophoneLost();
  expect([voice.state, voice.trouble, sound.close.mock.calls.length]).toEqual([
    "off",
    "removed",
    1,
  ]);
});

// V6
test("a browser that plays nothing is a problem, and is not listened to", async () => {
  contextState = "suspended";
  const { voice, sound, allow } = started();
  await allow();
  expect(voice.sound).toBeUndefined();
  await vi.advanceTimersByTimeAsync(3_000);
  expect([voice.state, voice.trouble, sound.close.mock.calls.length]).toEqual(["off", "sound", 1]);
});

test("who changes their mind while the browser asks is not listened to", async () => {
  const { voice, sound, allow } = started();
  voice.stop();
  await allow();
  expect([voice.state, voice.sound, sound.close.mock.calls.length]).toEqual(["off", undefined, 1]);
});

test("a mute is kept until the microphone is there, and is over with it", async () => {
  const { voice, sound, allow } = started();
  voice.setMuted(true);
  await allow();
  expect(sound.setMuted).toHaveBeenCalledWith(true);
  voice.stop();
  expect(voice.isMuted).toBe(false);
});

test("in text every clear is answered", () => {
  const voice = createVoice();
  voice.onPlayback = vi.fn<Voice["onPlayback"]>();
  voice.take({ type: "audio_clear", seq: 1, segment: 4 });
  expect(voice.onPlayback).toHaveBeenCalledWith({ type: "cleared", segment: 4, position_ms: 0 });
});
