import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
} from "@livekit/rtc-node";
import type { RemoteTrack } from "@livekit/rtc-node";
import { AccessToken, RoomServiceClient, TrackSource as Source } from "livekit-server-sdk";
import type { VideoGrant } from "livekit-server-sdk";
import type { Log } from "#platform";
import { newUuid } from "#platform";
import { outliveFreedHandles } from "./freed-handles.ts";
import { SampleQueue } from "./sample-queue.ts";
import type { RoomSound } from "./segment.ts";

/** Rooms of a LiveKit server, one for each call at a time. */
export interface Rooms {
  /** Joins a new room as the agent. What it needs to join is told at once, without waiting for that. */
  open(listener: RoomListener): CallRoom;
}

export interface RoomListener {
  /** How the visitor's browser joins. */
  invite(where: { room: string; url: string; token: string }): void;
  /** Sound of the visitor's microphone: 16 kHz, 32 ms. */
  microphone(pcm: Int16Array): void;
  /** The room cannot be joined, or is lost. Said once. */
  lost(): void;
}

export interface CallRoom extends RoomSound {
  /** Leaves and deletes it. */
  close(): void;
}

/** As text-to-speech makes it. */
const SPOKEN_RATE = 24_000;
const SPOKEN_PER_MS = SPOKEN_RATE / 1_000;
/** As voice detection and speech-to-text want it. */
const HEARD_RATE = 16_000;
const HEARD_FRAME_MS = 32;
/** The browser joins within seconds; a page that reconnects gets another token. */
const TOKEN_LIFE = "10m";
/** A room that nobody has joined is gone after so many seconds. One that everybody has left goes by the server's departure_timeout. */
const EMPTY_SECS = 60;
/** What was on its way is played out by then, and the browser hears the silence before what follows, though a jitter buffer shortens it. */
const SILENCE_MS = 300;
const SPOKEN_BITRATE = 32_000n;

export function createRooms(
  { url, key, secret }: { url: string; key: string; secret: string },
  log: Log,
): Rooms {
  outliveFreedHandles(log);
  const service = new RoomServiceClient(url.replace(/^ws/, "http"), key, secret);

  function tokenFor(identity: string, grant: VideoGrant): Promise<string> {
    const token = new AccessToken(key, secret, { identity, ttl: TOKEN_LIFE });
    token.addGrant({ roomJoin: true, canSubscribe: true, canPublishData: false, ...grant });
    return token.toJwt();
  }

  return {
    open(listener) {
      const name = newUuid();
      let isOver = false;
      const room = new LivekitRoom(listener, (error) => {
        if (isOver) return;
        log.warn({ err: error, room: name }, "sound cannot travel over LiveKit");
        leave();
        listener.lost();
      });
      const leave = (): void => {
        isOver = true;
        // A server that does not answer drops an empty room by itself.
        void room.leave().finally(() => service.deleteRoom(name).catch(() => {}));
      };
      async function join(): Promise<void> {
        const microphone = { canPublish: true, canPublishSources: [Source.MICROPHONE] };
        const invitation = tokenFor("visitor", { room: name, ...microphone });
        const own = tokenFor("agent", { room: name, ...microphone });
        // Nobody else may come in, even with a token.
        await service.createRoom({ name, emptyTimeout: EMPTY_SECS, maxParticipants: 2 });
        if (isOver) return;
        listener.invite({ room: name, url, token: await invitation });
        // Who leaves while joining is not in yet, and would stay.
        await room.join(url, await own).finally(() => (isOver ? room.leave() : undefined));
      }
      join().catch((error: unknown) => room.fail(error));
      return Object.assign(room, { close: leave });
    },
  };
}

/** The agent as a participant: one track out, the visitor's microphone in. */
class LivekitRoom implements RoomSound {
  readonly fail: (error: unknown) => void;
  readonly #listener: RoomListener;
  readonly #room = new Room();
  /** Its queue holds the little that is ahead of the visitor; it is never full. */
  readonly #source = new AudioSource(SPOKEN_RATE, 1);
  #reader: ReturnType<AudioStream["getReader"]> | undefined;
  /** Played in this turn of the event loop. It goes out as one frame, because each costs a call into the native library and one back. */
  readonly #playing = new SampleQueue();
  #droppedAtMs = -Infinity;
  /** What is being said may be cut after the room is gone, and a source that is closed throws. */
  #isLeft = false;

  constructor(listener: RoomListener, fail: (error: unknown) => void) {
    this.#listener = listener;
    this.fail = fail;
    this.#room
      .on(RoomEvent.TrackSubscribed, (track) => this.#hear(track))
      // The browser is at another node, or nowhere: until that is known, the socket carries the call.
      .on(RoomEvent.Reconnecting, () => fail(new Error("the connection was lost")))
      .on(RoomEvent.Disconnected, (reason) => fail(new Error(`disconnected, reason ${reason}`)));
  }

  async join(url: string, token: string): Promise<void> {
    await this.#room.connect(url, token, { autoSubscribe: true, dynacast: false });
    const track = LocalAudioTrack.createAudioTrack("agent", this.#source);
    const options = new TrackPublishOptions({
      source: TrackSource.SOURCE_MICROPHONE,
      audioEncoding: { maxBitrate: SPOKEN_BITRATE },
      // Each packet repeats the one before it: a lost one is not heard.
      red: true,
      // Without packets in silence the browser could not tell silence from loss.
      dtx: false,
    });
    await this.#room.localParticipant!.publishTrack(track, options);
  }

  async leave(): Promise<void> {
    this.#isLeft = true;
    // A stream that is read cannot be cancelled but by its reader; it would hold the call in memory.
    await this.#reader?.cancel().catch(() => {});
    await this.#room.disconnect().catch(() => {});
    await this.#source.close().catch(() => {});
  }

  get queuedMs(): number {
    if (this.#isLeft) return 0;
    return this.#source.queuedDuration + this.#playing.length / SPOKEN_PER_MS;
  }

  play(pcm: Int16Array): void {
    const silentMs = this.#droppedAtMs + SILENCE_MS - performance.now();
    this.#droppedAtMs = -Infinity;
    if (this.#playing.length === 0) queueMicrotask(() => this.#put());
    if (silentMs > 0) this.#playing.push(new Int16Array(Math.ceil(silentMs) * SPOKEN_PER_MS));
    this.#playing.push(pcm);
  }

  drop(): void {
    if (this.#isLeft) return;
    this.#droppedAtMs = performance.now();
    this.#playing.clear();
    this.#source.clearQueue();
  }

  #put(): void {
    if (this.#isLeft || this.#playing.length === 0) return;
    const pcm = this.#playing.take(this.#playing.length);
    const frame = new AudioFrame(pcm, SPOKEN_RATE, 1, pcm.length);
    this.#source.captureFrame(frame).catch((error: unknown) => this.fail(error));
  }

  #hear(track: RemoteTrack): void {
    if (track.kind !== TrackKind.KIND_AUDIO) return;
    const options = { sampleRate: HEARD_RATE, numChannels: 1, frameSizeMs: HEARD_FRAME_MS };
    const reader = new AudioStream(track, options).getReader();
    this.#reader = reader;
    const read = async (): Promise<void> => {
      for (let one = await reader.read(); !one.done; one = await reader.read())
        if (!this.#isLeft) this.#listener.microphone(one.value.data);
    };
    read().catch(() => {});
  }
}
