import { Room, RoomEvent, Track, setLogLevel } from "livekit-client";
import type { RemoteTrack } from "livekit-client";

/** A room that carries the sound of a call. */
export interface JoinedRoom {
  /** The agent's sound, or its silence, has come within the last second. */
  readonly isHeard: boolean;
  /** Says nothing more. */
  leave(): void;
}

export interface RoomOptions {
  url: string;
  token: string;
  context: AudioContext;
  microphone: MediaStreamTrack;
  /** Gets what the agent says. */
  gate: AudioNode;
  tell: (state: "joined" | "left") => void;
  /** Of all that was played, what nobody has sent: what fills gaps, less what was left out to catch up. */
  tellInvented: (ms: number) => void;
}

/** The call is on its socket meanwhile, and nobody waits. */
const JOIN_WITHIN_MS = 15_000;
const STATS_MS = 250;
const HEARD_WITHIN_MS = 1_000;
/** The agent's track is never silent for long without packets: who speaks where it has ended is heard by nobody. */
const GONE_AFTER_MS = 3_000;

// The customer's console is not ours.
setLogLevel("silent");

export function joinRoom(options: RoomOptions): JoinedRoom {
  const { context, gate, tell } = options;
  const room = new Room({ stopLocalTrackOnUnpublish: false });
  // Chromium hands a track's sound to Web Audio only while an element plays the track.
  const element = new Audio();
  element.muted = true;
  let source: AudioNode | undefined;
  let agent: RemoteTrack | undefined;
  let isPublished = false;
  let isLeft = false;
  let packets = 0;
  let heardAt = -Infinity;
  const late = setTimeout(lose, JOIN_WITHIN_MS);
  const watching = setInterval(() => void watch().catch(() => {}), STATS_MS);

  function hear(track: RemoteTrack): void {
    if (track.kind !== Track.Kind.Audio || isLeft) return;
    agent = track;
    const stream = new MediaStream([track.mediaStreamTrack]);
    element.srcObject = stream;
    element.play().catch(() => {});
    source?.disconnect();
    source = context.createMediaStreamSource(stream);
    source.connect(gate);
    settle();
  }

  /** Once both ways are open. */
  function settle(): void {
    if (isLeft || agent === undefined || !isPublished) return;
    clearTimeout(late);
    tell("joined");
  }

  function leave(): void {
    isLeft = true;
    clearTimeout(late);
    clearInterval(watching);
    source?.disconnect();
    element.srcObject = null;
    void room.disconnect(false);
  }

  function lose(): void {
    if (isLeft) return;
    leave();
    tell("left");
  }

  async function watch(): Promise<void> {
    const report = await agent?.receiver?.getStats();
    report?.forEach((one: Record<string, number> & { type: string }) => {
      if (one.type !== "inbound-rtp") return;
      const { concealedSamples = 0, insertedSamplesForDeceleration: inserted = 0 } = one;
      const { removedSamplesForAcceleration: removed = 0 } = one;
      const perMs = one["totalSamplesReceived"]! / one["totalSamplesDuration"]! / 1_000 || 48;
      if (one["packetsReceived"]! > packets) heardAt = performance.now();
      packets = one["packetsReceived"]!;
      options.tellInvented((concealedSamples + inserted - removed) / perMs);
    });
    if (packets > 0 && performance.now() - heardAt > GONE_AFTER_MS) lose();
  }

  room
    .on(RoomEvent.TrackSubscribed, hear)
    .on(RoomEvent.TrackUnsubscribed, lose)
    .on(RoomEvent.SignalReconnecting, lose)
    .on(RoomEvent.Reconnecting, lose)
    .on(RoomEvent.Disconnected, lose);
  room
    .connect(options.url, options.token)
    .then(() =>
      room.localParticipant.publishTrack(options.microphone, {
        source: Track.Source.Microphone,
        // Silence has to be heard as silence, not as loss.
        dtx: false,
        red: true,
      }),
    )
    .then(() => {
      isPublished = true;
      settle();
    })
    .catch(lose);

  return {
    get isHeard() {
      return !isLeft && performance.now() - heardAt < HEARD_WITHIN_MS;
    },
    leave,
  };
}
