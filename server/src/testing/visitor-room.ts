import { randomUUID } from "node:crypto";

/** A visitor without a browser in a LiveKit room: a microphone goes out, the agent comes in. */
export interface VisitorRoom {
  /** The next sound of the microphone: 16 kHz. */
  say(pcm: Int16Array): void;
  leave(): Promise<void>;
}

/** A new room of the server, for a visitor and a job of the worker with that name. */
export async function dispatchedRoom(
  { url, key, secret }: { url: string; key: string; secret: string },
  agentName: string,
): Promise<{ url: string; token: string }> {
  const { AccessToken, RoomAgentDispatch, RoomConfiguration } = await import("livekit-server-sdk");
  const token = new AccessToken(key, secret, { identity: "visitor" });
  token.addGrant({ roomJoin: true, room: randomUUID(), canPublish: true, canSubscribe: true });
  token.roomConfig = new RoomConfiguration({ agents: [new RoomAgentDispatch({ agentName })] });
  return { url, token: await token.toJwt() };
}

const SAID_RATE = 16_000;
/** As a loudspeaker takes it. */
const HEARD_RATE = 24_000;
const HEARD_FRAME_MS = 60;

/** Resolves when both ways are open. @param hear gets all that the agent's track carries, silence included. */
export async function joinVisitorRoom(
  { url, token }: { url: string; token: string },
  hear: (pcm: Int16Array) => void,
): Promise<VisitorRoom> {
  // Loads a native library, which few tests need.
  const rtc = await import("@livekit/rtc-node");
  const room = new rtc.Room();
  const source = new rtc.AudioSource(SAID_RATE, 1);
  const isHeard = new Promise<void>((resolve) => {
    room.on(rtc.RoomEvent.TrackSubscribed, async (track) => {
      if (track.kind !== rtc.TrackKind.KIND_AUDIO) return;
      resolve();
      const format = { sampleRate: HEARD_RATE, numChannels: 1, frameSizeMs: HEARD_FRAME_MS };
      for await (const { data } of new rtc.AudioStream(track, format)) hear(data);
    });
  });
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  const microphone = rtc.LocalAudioTrack.createAudioTrack("microphone", source);
  // As the SDK publishes it.
  const options = { source: rtc.TrackSource.SOURCE_MICROPHONE, dtx: false, red: true };
  await room.localParticipant!.publishTrack(microphone, new rtc.TrackPublishOptions(options));
  await isHeard;
  let isLeft = false;
  return {
    say(pcm) {
      if (isLeft) return;
      void source.captureFrame(new rtc.AudioFrame(pcm, SAID_RATE, 1, pcm.length)).catch(() => {});
    },
    async leave() {
      isLeft = true;
      await room.disconnect();
      await source.close();
    },
  };
}
