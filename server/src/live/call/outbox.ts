import type { LiveServerMessage } from "@svc/contract/types";

type Numbered = Extract<LiveServerMessage, { seq: number }>;
type WithoutNumber<T> = T extends Numbered ? Omit<T, "seq"> : never;
/** A message that the browser must get, before it has its number. */
export type Outgoing = WithoutNumber<Numbered>;

/** More messages than a browser leaves unacknowledged between two pings. Beyond it the oldest are dropped, because a welcome contains the whole state. */
const MAX_KEPT = 500;

/** Numbers what the server says and keeps it until the browser has it. */
export class Outbox {
  #kept: Numbered[] = [];
  #sent = 0;

  /** The number of the last one. */
  get sent(): number {
    return this.#sent;
  }

  /** Goes on after what somebody else has sent. */
  continueFrom(sent: number): void {
    this.#sent = sent;
  }

  add(message: Outgoing): Numbered {
    const numbered: Numbered = { ...message, seq: ++this.#sent };
    // A caption holds the whole turn so far: the one before is not worth sending again.
    this.#kept = this.#kept
      .filter((earlier) => !isOvertaken(earlier, numbered))
      .slice(1 - MAX_KEPT);
    this.#kept.push(numbered);
    return numbered;
  }

  /** Forgets what has arrived. False when the browser names what was never sent. */
  acknowledge(received: number): boolean {
    if (received > this.#sent) return false;
    this.#kept = this.#kept.filter(({ seq }) => seq > received);
    return true;
  }

  /** Returns the messages that the browser has not acknowledged yet. An action that comes late would be a surprise. */
  waiting(): readonly Numbered[] {
    return this.#kept.filter(({ type }) => type !== "action");
  }

  /** The browser has just been told everything in another way. */
  clear(): void {
    this.#kept = [];
  }
}

/** Each takes the place of the one before. */
const REPLACES: ReadonlySet<Numbered["type"]> = new Set(["state", "card", "content", "audio_room"]);

function isOvertaken(earlier: Numbered, now: Numbered): boolean {
  // The sound itself is never sent again.
  if (now.type === "audio_clear") return "segment" in earlier && earlier.segment === now.segment;
  if (REPLACES.has(now.type)) return earlier.type === now.type;
  return (
    earlier.type === "caption" &&
    now.type === "caption" &&
    earlier.turn === now.turn &&
    !earlier.final
  );
}
