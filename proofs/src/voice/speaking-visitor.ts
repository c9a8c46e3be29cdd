import type { LiveServerMessage } from "@svc/contract/types";
import type { VoiceVisitor } from "@svc/server/testing";
import { waitUntil } from "../browsers/wait-until.ts";

/** About eleven seconds. */
export const LONG_SPEECH =
  "It shows your product to everybody who comes to your page, answers what they want to know, and tells you afterwards who they were and what they asked for, so that you can go on from there.";

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

/** Plain ones: what is said is what is written, so that words can be counted in both. */
export const SENTENCES: readonly string[] = [
  "Our assistant talks with your visitors and shows them what they want to see.",
  "Most teams begin with a single page and add the others when they like it.",
  "You paste a short piece of code into your page and publish it as always.",
  "Every answer comes from the texts that you have given to the assistant.",
  "Nothing is kept before somebody clicks the button and accepts the notice.",
  "A visitor can cut in at any time and the assistant falls silent at once.",
  "Afterwards you read who was there and which questions they asked.",
  "The report quotes the words of the visitor for everything that it claims.",
  "If the microphone is blocked the same conversation goes on in writing.",
  "Your colleagues get a message in their own system as soon as it is ready.",
  "People who are in a hurry can simply type their question instead.",
  "It speaks several languages and follows the language of the browser.",
  "When the network is lost the conversation waits for the visitor to return.",
  "The slides that it shows are those that you have prepared for it.",
  "Larger companies run the whole service on machines of their own.",
  "An address is taken only after the visitor has confirmed it on the screen.",
  "Before you publish an agent you can rehearse it against written scenarios.",
  "The assistant asks the questions that matter to your sales people.",
  "Whoever prefers to talk with a person is shown a link for that.",
  "Thank you for your patience and for all of the questions that you asked.",
];
