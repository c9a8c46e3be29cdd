import type {
  LiveAudioClear,
  LiveAudioFlush,
  LiveAudioPause,
  LiveAudioResume,
  LiveAudioStart,
} from "@svc/contract/types";
import type { PlayerOrder, PlayerReport } from "../worklets/player.ts";
import { askForMicrophone, letGo } from "./ask-for-microphone.ts";
import { createMicrophone } from "./microphone.ts";

/** The visitor's microphone and loudspeaker, as the live protocol speaks of them. */
export interface Sound {
  /** Frames to send: 16 kHz, 16 bit, mono, 32 ms, which is 1,024 bytes. Muted: none come. */
  onMicrophone: (bytes: ArrayBuffer) => void;
  /** How loud the visitor is, from 0 to 1, eight times a second. */
  onLevel: (level: number) => void;
  /** What to tell the server of what is played. */
  onPlayback: (message: PlayerReport) => void;
  /** The microphone was unplugged, or the visitor took it back. `useDevice` asks for another. */
  onMicrophoneLost: () => void;
  take(message: SoundMessage): void;
  /** A frame of the segment that was started last. The buffer is given away. */
  play(bytes: ArrayBuffer): void;
  /** The socket is gone: what it sent is not played on. */
  stop(): void;
  setMuted(muted: boolean): void;
  /** Any microphone when empty. The one before stays when this one cannot be had. */
  useDevice(id: string): Promise<void>;
  /** The segment that was started last and how far it came, unless it came to its end. For a hello that resumes. */
  readonly playing: { segment: number; position_ms: number } | undefined;
  /** What is heard at this moment: for the agent's mouth. */
  readonly analyser: AnalyserNode;
  /** Lets go of everything but the context. */
  close(): void;
}

export type SoundMessage =
  | LiveAudioStart
  | LiveAudioFlush
  | LiveAudioClear
  | LiveAudioPause
  | LiveAudioResume;

/** What stands in the file's name, written in by the build. */
declare const WORKLETS_HASH: string;

/** What devices say beyond it is wrong. */
const MOST_LATENCY_SECS = 0.5;

/**
 * Asks for the microphone, and rejects when there is none to be had. Safari starts no context but
 * inside the tap: the caller has made and resumed it there, and closes it.
 */
export async function openSound(context: AudioContext): Promise<Sound> {
  if (!isSecureContext) throw new Error("insecure");
  const [asked, loaded] = await Promise.allSettled([
    askForMicrophone(""),
    // Beside this file: a strict policy takes no worklet from a blob.
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
  const heard = new DelayNode(context, { maxDelayTime: MOST_LATENCY_SECS });
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

  /** A phone call, for instance, stops all sound of a page. */
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
      if (message.type !== "audio_start") return order(message);
      playing = { segment: message.segment, position_ms: 0 };
      const latencySecs = Math.min(outputLatencySecs(context), MOST_LATENCY_SECS);
      heard.delayTime.value = latencySecs;
      order({ ...message, latencyMs: latencySecs * 1_000 });
    },
    play: (bytes) => loudspeaker.port.postMessage(bytes, [bytes]),
    stop() {
      if (playing !== undefined) order({ type: "audio_clear", seq: 0, segment: playing.segment });
    },
    setMuted: microphone.setMuted,
    useDevice: microphone.useDevice,
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

/** What Firefox says when it answers. */
const FIREFOX_SECS = 0.04;

/**
 * How long sound takes from the context to the ear. Firefox is not asked: now and then it waits for
 * its sound server while that waits for it, and the whole page freezes for good.
 */
export function outputLatencySecs(context: AudioContext): number {
  return navigator.userAgent.includes("Firefox/") ? FIREFOX_SECS : context.outputLatency || 0;
}
