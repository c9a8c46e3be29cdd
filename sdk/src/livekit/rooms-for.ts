import type { LiveAudioRoom } from "@svc/contract/types";
import { outputLatencySecs } from "../sound/open-sound.ts";
import type { Sound } from "../sound/index.ts";
import type { PlayerReport } from "../worklets/player.ts";
import type { GateOrder } from "./gate.ts";
import { joinRoom } from "./join-room.ts";
import type { JoinedRoom } from "./join-room.ts";

/** The hash in the file's name, written in by the build. */
declare const GATE_HASH: string;

/** Longer latencies that devices report are wrong. */
const MAX_LATENCY_SECS = 0.5;

/**
 * Lets the sound of a call travel over rooms. What the server says is in a room is played from there, and the microphone is
 * sent there; all else stays as it was. Returns how to join one, which takes the place of the one before.
 */
export async function roomsFor(sound: Sound): Promise<(where: LiveAudioRoom) => void> {
  const context = sound.analyser.context as AudioContext;
  await context.audioWorklet.addModule(new URL(`gate.${GATE_HASH}.js`, import.meta.url));
  const socket = { ...sound };
  const playingOverSocket = Object.getOwnPropertyDescriptor(sound, "playing")!.get!;
  let room: JoinedRoom | undefined;
  /** What is played comes, or came last, over the room. */
  let isInRoom = false;
  /** The agent spoke there last, and so the server hears the microphone there. */
  let isSent = false;
  let playing: Sound["playing"];

  const gate = new AudioWorkletNode(context, "svc-gate", {
    channelCount: 1,
    channelCountMode: "explicit",
    outputChannelCount: [1],
  });
  gate.connect(context.destination);
  // The mouth moves when the sound is heard, which is later than it is played.
  const heard = new DelayNode(context, { maxDelayTime: MAX_LATENCY_SECS });
  gate.connect(heard).connect(sound.analyser);
  // Not the device's own track: LiveKit switches on what it publishes, also where the visitor is muted, and another device has another.
  const microphone = new MediaStreamAudioDestinationNode(context, { channelCount: 1 });
  sound.microphone.connect(microphone);
  gate.port.start();
  gate.port.addEventListener("message", ({ data }: MessageEvent<PlayerReport>) => {
    if (data.segment === playing?.segment) {
      const isFinished = data.type === "playback" && data.state === "finished";
      playing = isFinished ? undefined : { ...playing, position_ms: data.position_ms };
    }
    sound.onPlayback(data);
  });
  const order = (one: GateOrder): void => gate.port.postMessage(one, []);

  function leave(): void {
    room?.leave();
    room = undefined;
    isSent = false;
  }

  Object.assign(sound, {
    take(message) {
      if (message.type === "audio_start") {
        isInRoom = message.from_ms !== undefined;
        isSent = isInRoom && room !== undefined;
      }
      if (!isInRoom || message.type === "audio_room") return socket.take(message);
      if (message.type !== "audio_start") return order(message);
      playing = { segment: message.segment, position_ms: message.from_ms! };
      const latencySecs = Math.min(outputLatencySecs(context), MAX_LATENCY_SECS);
      heard.delayTime.value = latencySecs;
      order({ ...message, latencyMs: latencySecs * 1_000 });
    },
    stop() {
      if (isInRoom && playing !== undefined)
        order({ type: "audio_clear", seq: 0, segment: playing.segment });
      leave();
      socket.stop();
    },
    close() {
      leave();
      gate.disconnect();
      sound.microphone.disconnect(microphone);
      socket.close();
    },
  } satisfies Partial<Sound>);
  Object.defineProperties(sound, {
    playing: { get: () => (isInRoom ? playing && { ...playing } : playingOverSocket.call(sound)) },
    isSentInRoom: { get: () => isSent },
    isHeardInRoom: { get: () => room?.isHeard },
  });

  return (where) => {
    leave();
    room = joinRoom({
      ...where,
      context,
      microphone: microphone.stream.getTracks()[0]!,
      gate,
      tell(state) {
        // No other room may follow, and words in this one may still be announced: a microphone that stays in it would be heard
        // by nobody.
        if (state === "left") leave();
        sound.onPlayback({ type: "room", state, room: where.room });
      },
      tellInvented: (ms) => order({ type: "invented", ms }),
    });
  };
}
