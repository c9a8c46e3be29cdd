import type {
  LiveAudioClear,
  LiveAudioFlush,
  LiveAudioPause,
  LiveAudioResume,
  LiveAudioRoom,
  LiveAudioStart,
  LiveRoomState,
} from "@svc/contract/types";
import type { PlayerOrder, PlayerReport } from "../worklets/player.ts";
import { askForMicrophone, letGo } from "./ask-for-microphone.ts";
import { createMicrophone } from "./microphone.ts";

/** The visitor's microphone and loudspeaker, in the terms of the live protocol. */
export interface Sound {
  /** Frames to send: 16 kHz, 16 bit, mono, 32 ms, which is 1,024 bytes. None come while muted. */
  onMicrophone: (bytes: ArrayBuffer) => void;
  /** How loud the visitor is, from 0 to 1, eight times a second. */
  onLevel: (level: number) => void;
  /** Reports for the server about what was played, and about the room. */
  onPlayback: (message: PlayerReport | Omit<LiveRoomState, "seq">) => void;
  /** The microphone was unplugged, or the visitor took it back. `useDevice` asks for another. */
  onMicrophoneLost: () => void;
  take(message: SoundMessage): void;
  /** A frame of the segment that was started last. The buffer is transferred. */
  play(bytes: ArrayBuffer): void;
  /** The connection is lost: stops what it sent. */
  stop(): void;
  setMuted(muted: boolean): void;
  /** Puts out what is recorded, by whichever device; silence while it is muted. */
  readonly microphone: AudioNode;
  /** An empty id means any microphone. If it cannot be opened, the previous one stays. */
  useDevice(id: string): Promise<void>;
  /** The last segment and how far it was played, unless it was played to its end. A hello that resumes tells the server. */
  readonly playing: { segment: number; position_ms: number } | undefined;
  /** The microphone's sound goes over a room. */
  readonly isSentInRoom?: boolean;
  /** The agent's sound, or its silence, comes over a room at this moment. */
  readonly isHeardInRoom?: boolean;
  /** Analyses what is heard at this moment, for the agent's mouth. */
  readonly analyser: AnalyserNode;
  /** Releases everything but the context. */
  close(): void;
}

export type SoundMessage =
  | LiveAudioStart
  | LiveAudioFlush
  | LiveAudioClear
  | LiveAudioPause
  | LiveAudioResume
  | LiveAudioRoom;

/** The hash in the file's name, written in by the build. */
declare const WORKLETS_HASH: string;

/** Longer latencies that devices report are wrong. */
const MAX_LATENCY_SECS = 0.5;

/**
 * Asks for the microphone, and rejects when there is none. Safari starts a context only inside the tap,
 * so the caller creates and resumes it there, and closes it.
 */
export async function openSound(context: AudioContext): Promise<Sound> {
  if (!isSecureContext) throw new Error("insecure");
  const [asked, loaded] = await Promise.allSettled([
    askForMicrophone(""),
    // A file of its own, because a strict policy allows no worklet from a blob.
    context.audioWorklet.addModule(new URL(`worklets.${WORKLETS_HASH}.js`, import.meta.url)),
  ]);
  if (asked.status === "rejected") throw asked.reason;
  if (loaded.status === "rejected") {
    letGo(asked.value);
    throw loaded.reason;
  }

  const microphone = createMicrophone(context, asked.value, {
    frame: (bytes) => sound.onMicrophone(bytes),
    level: (level) => sound.onLevel(level),
    lost: () => sound.onMicrophoneLost(),
  });
  const loudspeaker = new AudioWorkletNode(context, "svc-loudspeaker", {
    outputChannelCount: [1],
  });
  loudspeaker.connect(context.destination);
  // The mouth moves when the sound is heard, which is later than it is played.
  const heard = new DelayNode(context, { maxDelayTime: MAX_LATENCY_SECS });
  const analyser = new AnalyserNode(context, { fftSize: 1_024, smoothingTimeConstant: 0 });
  loudspeaker.connect(heard).connect(analyser);
  const order = (one: PlayerOrder): void => loudspeaker.port.postMessage(one, []);
  let playing: { segment: number; position_ms: number } | undefined;

  loudspeaker.port.start();
  loudspeaker.port.addEventListener("message", ({ data }: MessageEvent<PlayerReport>) => {
    if (data.segment === playing?.segment) {
      playing.position_ms = data.position_ms;
      if (data.type === "playback" && data.state === "finished") playing = undefined;
    }
    sound.onPlayback(data);
  });

  /** A phone call, for example, suspends the sound of a page. */
  function goOn(): void {
    if (context.state !== "running") context.resume().catch(() => {});
  }
  context.addEventListener("statechange", goOn);

  const sound: Sound = {
    analyser,
    onMicrophone() {},
    onLevel() {},
    onPlayback() {},
    onMicrophoneLost() {},
    take(message) {
      // The player passes over what it does not know: a room is joined elsewhere.
      if (message.type !== "audio_start") return order(message as PlayerOrder);
      playing = { segment: message.segment, position_ms: 0 };
      const latencySecs = Math.min(outputLatencySecs(context), MAX_LATENCY_SECS);
      heard.delayTime.value = latencySecs;
      order({ ...message, latencyMs: latencySecs * 1_000 });
    },
    play: (bytes) => loudspeaker.port.postMessage(bytes, [bytes]),
    stop() {
      if (playing !== undefined) order({ type: "audio_clear", seq: 0, segment: playing.segment });
    },
    ...microphone,
    get playing() {
      return playing && { ...playing };
    },
    close() {
      context.removeEventListener("statechange", goOn);
      microphone.close();
      loudspeaker.disconnect();
    },
  };
  return sound;
}

/** The latency that Firefox reports when it does answer. */
const FIREFOX_SECS = 0.04;

/**
 * Returns how long sound takes from the context to the loudspeaker. Firefox is not asked: its answer sometimes
 * deadlocks with its sound server, and the page freezes.
 */
export function outputLatencySecs(context: AudioContext): number {
  return navigator.userAgent.includes("Firefox/") ? FIREFOX_SECS : context.outputLatency || 0;
}
