import { setTimeout as delay } from "node:timers/promises";
import type { LiveServerMessage } from "@svc/contract/types";
import type { VoiceVisitor } from "@svc/server/testing";

/** About eleven seconds. */
export const LONG_SPEECH =
  "It shows your product to everybody who comes to your page, answers what they want to know, and tells you afterwards who they were and what they asked for, so that you can go on from there.";

const LOOK_MS = 5;
const HEARD_MS = 800;
/** Enough of the speech is left then for a whole try. */
const NOT_BEYOND_MS = 4_000;
const WATCHED_MS = 2_500;

/** What the agent did when somebody spoke while it did. */
export interface Reaction {
  /** Until it was silent, counted from the first of the voice; undefined when it went on. */
  silentAfterMs: number | undefined;
  /** How long it was silent before it went on; undefined when it did not. */
  resumedAfterMs: number | undefined;
  isCut: boolean;
}

/** A visitor who interrupts what the agent is saying. Every answer is expected to be long. */
export class SpeakingVisitor {
  readonly #visitor: VoiceVisitor;
  readonly #arrivals: Arrivals;

  constructor(visitor: VoiceVisitor) {
    this.#visitor = visitor;
    this.#arrivals = new Arrivals(visitor);
  }

  /** Waits until the agent is in the middle of a speech that lasts long enough. */
  async listen(): Promise<void> {
    const { heard, browser } = this.#visitor;
    const { end, playedMs = 0 } = heard.at(-1) ?? {};
    const isSpeaking = end === undefined && playedMs > 0 && playedMs < NOT_BEYOND_MS;
    // Words that interrupt are answered without being asked again.
    if (!isSpeaking && end !== "cleared") browser.send({ type: "text", text: "Tell me about it." });
    const segment = isSpeaking ? heard.length - 1 : heard.length;
    const isHeard = (): boolean => (heard[segment]?.playedMs ?? 0) > HEARD_MS;
    if (!(await waitUntil(isHeard, 10_000))) throw new Error("the agent does not speak");
  }

  /** Says something and watches what becomes of the speech. */
  async interject(pcm: Int16Array, onSaid: () => void = () => {}): Promise<Reaction> {
    const from = performance.now();
    const { startedAt, endedAt } = await this.#visitor.say(pcm);
    onSaid();
    const isCut = (): boolean => this.#arrivals.first("audio_clear", from) !== undefined;
    await waitUntil(isCut, endedAt + WATCHED_MS - performance.now());
    const pausedAt = this.#arrivals.first("audio_pause", from);
    const resumedAt = pausedAt && this.#arrivals.first("audio_resume", pausedAt);
    return {
      silentAfterMs: pausedAt && pausedAt - startedAt,
      resumedAfterMs: pausedAt && resumedAt && resumedAt - pausedAt,
      isCut: isCut(),
    };
  }
}

type Kind = LiveServerMessage["type"] | "sound";

/** When what the server sends has arrived at a visitor, by `performance.now`. */
export class Arrivals {
  readonly #all: { kind: Kind; at: number }[] = [];

  constructor({ browser }: VoiceVisitor) {
    browser.socket.on("message", (_data, isBinary) => {
      const at = performance.now();
      // The browser has read it by now.
      this.#all.push({ kind: isBinary ? "sound" : browser.messages.at(-1)!.type, at });
    });
  }

  first(kind: Kind, after: number): number | undefined {
    return this.#all.find((one) => one.kind === kind && one.at > after)?.at;
  }
}

/** Resolves when it is so, or when the time is over. */
export async function waitUntil(isSo: () => boolean, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (!isSo() && performance.now() < until) await delay(LOOK_MS);
  return isSo();
}
