import type { Media, MediaListener } from "#conversation";
import type { LivePlayback } from "@svc/contract/types";
import { Microphone } from "./microphone.ts";
import { Segment } from "./segment.ts";
import type { RoomSound, SegmentOptions } from "./segment.ts";

export interface WsMediaOptions extends Omit<
  SegmentOptions,
  "number" | "after" | "room" | "awaitsStop"
> {
  /** Segments are numbered from the one after it. */
  lastSegment: number;
  /** The conversation does not wait longer for a browser to say where it stopped. */
  answerWithinMs: number;
  /** `setTimeout`, but for tests. */
  after?: SegmentOptions["after"];
}

/** A browser that plays says so ten times a second. One whose sound is blocked says nothing, and the agent would wait. */
const REPORT_WITHIN_MS = 10_000;

/** A clear whose answer is owed. */
interface Clear {
  segment: Segment | undefined;
  cancel: () => void;
}

/** Sound over the visitor's socket, or over a room while there is one. Every clear is answered, by the browser or from what it said last. */
export class WsMedia implements Media {
  readonly #options: Omit<SegmentOptions, "number" | "room"> & { answerWithinMs: number };
  readonly #microphone = new Microphone((pcm) => this.#listener?.microphone(pcm));
  #listener: MediaListener | undefined;
  #lastSegment: number;
  #segment: Segment | undefined;
  #room: RoomSound | undefined;
  /** The microphone's sound has come over the room, and is heard from there. */
  #hasRoomSound = false;
  #isHeardInRoom = false;
  #isPaused = false;
  /** The number of a segment that the browser was told to stop in the room, and has not. */
  #unstopped: number | undefined;
  /** Oldest first. */
  #clears: Clear[] = [];
  #cancelPatience: (() => void) | undefined;

  constructor({ lastSegment, after = afterTimeout, ...options }: WsMediaOptions) {
    this.#options = { ...options, after };
    this.#lastSegment = lastSegment;
  }

  /** The number of the segment that is playing or paused. */
  get segment(): number | undefined {
    return this.#segment?.number;
  }

  /** It travels over a room. What was begun over the socket stays there. */
  get isPlayedInRoom(): boolean {
    return this.#segment?.isInRoom === true;
  }

  /** It travels over the socket, which does not get it through. */
  get isHeldUp(): boolean {
    return this.#segment?.isHeldUp === true;
  }

  open(listener: MediaListener): void {
    this.#listener = listener;
  }

  frame(pcm: Int16Array): void {
    if (pcm.length === 0) return;
    this.#segment ??= this.#begin();
    this.#segment.add(pcm);
  }

  flush(): void {
    this.#segment?.flush();
    this.#finishUnheard();
  }

  clear(): void {
    const segment = this.#segment;
    this.#segment = undefined;
    this.#isPaused = false;
    segment?.stop();
    const { after, answerWithinMs } = this.#options;
    // Before anything is sent: whatever happens to that, the answer comes.
    const cancel = after(segment?.isSilent ? 0 : answerWithinMs, () => this.#settle(clear));
    const clear: Clear = { segment, cancel };
    this.#clears.push(clear);
    if (!segment?.isTold) return;
    // One that is gone with its room has nothing to stop, and a new page would never say so.
    if (segment.isInRoom && this.#room !== undefined) this.#unstopped = segment.number;
    this.#options.line.tell({ type: "audio_clear", segment: segment.number });
  }

  /** Holds what comes next, too. */
  pause(): void {
    this.#isPaused = true;
    this.#cancelPatience?.();
    this.#segment?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#awaitReport();
    this.#segment?.resume();
  }

  // ── from the browser ──────────────────────────────────────────────────────────────────────────

  /** Sound of the microphone. False when it is none. What comes over the socket beside the room was heard there. */
  hear(bytes: Buffer): boolean {
    return this.#isHeardInRoom || this.#microphone.hear(bytes);
  }

  /** The same over the room. It is heard from there once the agent speaks there: a visitor in mid-sentence would be cut in two. */
  hearInRoom({ buffer, byteOffset, byteLength }: Int16Array): void {
    // The last of a room that was left: it does not mean that the visitor is heard in the next one.
    if (this.#room === undefined) return;
    this.#hasRoomSound = true;
    if (this.#isHeardInRoom)
      this.#microphone.hear(Buffer.from(buffer, byteOffset, byteLength), true);
  }

  /** What is said next goes over the room, if the visitor is heard there; without one, over the socket. */
  use(room: RoomSound | undefined): void {
    this.#room = room;
    if (room !== undefined) return;
    this.#hasRoomSound = this.#isHeardInRoom = false;
    this.#unstopped = undefined;
  }

  mute(muted: boolean): void {
    this.#microphone.mute(muted);
  }

  played({ segment: number, position_ms: positionMs, state }: Played): void {
    const cleared = this.#clearOf(number);
    // Said before the browser knew of the clear.
    if (cleared !== undefined) return cleared.segment?.report(positionMs, false);
    const segment = this.#segment;
    if (segment?.number !== number) return;
    this.#awaitReport();
    // It plays the next one: an answer to the clear before will not come.
    this.#settle(this.#clears.at(-1));
    segment.report(positionMs, state === "started" || state === "playing");
    if (state === "paused") segment.stopped();
    if (!segment.isStarted && (state !== "paused" || segment.playedMs > 0)) {
      segment.isStarted = true;
      this.#listener?.started();
    }
    // The listener may have cleared it.
    if (this.#segment !== segment) return;
    if (state === "finished" && segment.isFlushed) this.#finish(segment);
    else if (state === "paused" && segment.isPaused) this.#listener?.paused(segment.playedMs);
    else this.#listener?.position(segment.playedMs);
  }

  /** Handles the position at which a segment stopped: the answer to a clear, or the report of a browser that has reconnected. */
  cleared({ segment: number, position_ms: positionMs }: Omit<Played, "state">): void {
    if (number === this.#unstopped) {
      this.#unstopped = undefined;
      // From now on the browser waits for silence.
      this.#room?.drop();
      this.#segment?.stopped();
    }
    const clear = this.#clearOf(number);
    const segment = clear?.segment ?? this.#segment;
    if (segment?.number !== number) return;
    segment.report(positionMs, false);
    segment.isSilent = true;
    this.#settle(clear);
  }

  // ── the socket ────────────────────────────────────────────────────────────────────────────────

  /** The socket is gone: what it was playing is not sent to the next one. */
  lost(): void {
    this.#segment?.stop();
    this.#finishUnheard();
    this.#microphone.forget();
  }

  /** Stops the sound and the timers, and reports nothing more. */
  close(): void {
    this.#listener = undefined;
    this.#cancelPatience?.();
    this.#segment?.stop();
    for (const { cancel } of this.#clears) cancel();
    this.#clears = [];
  }

  #begin(): Segment {
    const room = this.#hasRoomSound ? this.#room : undefined;
    this.#isHeardInRoom = room !== undefined;
    const segment = new Segment({
      ...this.#options,
      room,
      awaitsStop: room !== undefined && this.#unstopped !== undefined,
      number: (this.#lastSegment += 1),
    });
    if (this.#isPaused) segment.pause();
    if (!this.#options.line.connected) segment.stop();
    this.#awaitReport();
    return segment;
  }

  #awaitReport(): void {
    this.#cancelPatience?.();
    if (this.#isPaused) return;
    this.#cancelPatience = this.#options.after(REPORT_WITHIN_MS, () => {
      const segment = this.#segment;
      if (segment === undefined) return;
      if (!segment.isWhole) return this.#awaitReport();
      if (segment.isTold) {
        this.#options.line.tell({ type: "audio_clear", segment: segment.number });
      }
      this.#finish(segment);
    });
  }

  /** Without a browser that plays it, a segment would be waited for until somebody interrupts it. */
  #finishUnheard(): void {
    const segment = this.#segment;
    if (segment === undefined || !segment.isStopped || !segment.isWhole) return;
    this.#options.after(this.#options.answerWithinMs, () => {
      if (this.#segment === segment) this.#finish(segment);
    });
  }

  #finish(segment: Segment): void {
    this.#segment = undefined;
    segment.stop();
    this.#listener?.finished(segment.playedMs);
  }

  #clearOf(number: number): Clear | undefined {
    return this.#clears.find(({ segment }) => segment?.number === number);
  }

  /** Answers it and those before it, in their order. */
  #settle(last: Clear | undefined): void {
    const count = last === undefined ? 0 : this.#clears.indexOf(last) + 1;
    for (const { segment, cancel } of this.#clears.splice(0, count)) {
      cancel();
      this.#listener?.cleared(segment?.playedMs ?? 0);
    }
  }
}

type Played = Pick<LivePlayback, "segment" | "position_ms" | "state">;

function afterTimeout(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}
