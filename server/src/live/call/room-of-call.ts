import type { ConversationListener } from "#conversation";
import type { LiveRoomState } from "@svc/contract/types";
import type { CallRoom, Rooms } from "../media/rooms.ts";
import type { WsMedia } from "../media/ws-media.ts";
import type { Outgoing } from "./outbox.ts";

export interface RoomOfCallOptions {
  /** Absent where the call's sound stays on its socket. */
  rooms: Rooms | undefined;
  media: () => WsMedia | undefined;
  tell: (message: Outgoing) => void;
  note: ConversationListener["event"];
  /** Whether what is cut would be taken up. */
  isTalking: () => boolean;
  /** The way was lost that carried what the agent was saying: the rest of that was not heard. */
  onCut: () => void;
}

/** After a room that worked, another server may take the next. For five seconds LiveKit takes a dead server for alive. */
const AGAIN_AFTER_MS = 6_000;
/** One that never worked is behind a firewall, most likely: the visitor may change networks. */
const UNREACHABLE_AFTER_MS = 60_000;

/**
 * The way of a call's sound: over its socket at first, over a room once both sides have joined one, and over the socket again
 * when the room is lost. The socket works wherever a page loads, so nobody waits for WebRTC.
 */
export class RoomOfCall {
  readonly #options: RoomOfCallOptions;
  #room: CallRoom | undefined;
  /** Of the room that the browser was told of. */
  #name: string | undefined;
  #isUsed = false;
  #again: NodeJS.Timeout | undefined;

  constructor(options: RoomOfCallOptions) {
    this.#options = options;
  }

  /** A new one, in place of any before. */
  open(): void {
    this.close();
    this.#room = this.#options.rooms?.open({
      invite: (where) => {
        this.#name = where.room;
        this.#options.tell({ type: "audio_room", ...where });
      },
      microphone: (pcm) => this.#heard(pcm),
      lost: () => this.#lost(),
    });
  }

  /** By the browser. What it says of a room before, or to a process before, is out of date. */
  told({ state, room }: Pick<LiveRoomState, "state" | "room">): void {
    if (state === "wanted") return this.open();
    if (room !== this.#name) return;
    if (state === "left") return this.#lost();
    if (this.#room === undefined || this.#isUsed) return;
    this.#isUsed = true;
    this.#options.media()?.use(this.#room);
    this.#options.note("transport", { over: "livekit" });
  }

  close(): void {
    clearTimeout(this.#again);
    this.#options.media()?.use(undefined);
    this.#room?.close();
    this.#room = this.#name = undefined;
    this.#isUsed = false;
  }

  #heard(pcm: Int16Array): void {
    const media = this.#options.media();
    media?.hearInRoom(pcm);
    // What was begun over the socket stays there, unless packets get lost: WebRTC gets through where TCP waits.
    if (this.#isUsed && media?.isHeldUp && this.#options.isTalking()) this.#cut();
  }

  #cut(): void {
    this.#options.media()?.lost();
    this.#options.onCut();
  }

  #lost(): void {
    if (this.#room === undefined) return;
    const wasUsed = this.#isUsed;
    const isCut = this.#options.media()?.isPlayedInRoom === true;
    this.close();
    this.#options.note("transport", { over: "ws", because: wasUsed ? "lost" : "unreachable" });
    this.#again = setTimeout(() => this.open(), wasUsed ? AGAIN_AFTER_MS : UNREACHABLE_AFTER_MS);
    if (isCut) this.#cut();
  }
}
