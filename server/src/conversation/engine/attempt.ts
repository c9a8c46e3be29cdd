import { endsInQuestion, fold, joinSentences, spokenWordCount } from "#language";
import type { ToolCall } from "#models";
import type { Clock } from "#platform";
import type { ConversationListener } from "../conversation.ts";
import type { SpeechGuard, Veto } from "../guard/speech-guard.ts";
import { readNote } from "../signals/direction.ts";
import type { PlacedDirection, SignalledSentence } from "../signals/signal-reader.ts";
import type { DemoState } from "../state/demo-state.ts";
import { letterCount } from "./dialogue.ts";
import type { Step } from "./dialogue.ts";
import type { Reply } from "./reply.ts";

/** Spoken turns are short: nobody listens to a lecture. What is read may be longer. */
export const MOST_WORDS: Record<"voice" | "text", number> = { voice: 45, text: 90 };
/** Without a limit, a model that keeps writing directions would keep changing the visitor's screen. */
const MOST_DIRECTIONS = 8;
/** How long the verifier may take where nobody hears anything meanwhile. */
const VERIFIED_WITHIN_MS = { voice: 300, text: 1_500 };
/** Speech takes about so long for a letter: that is how much sound is ahead of a sentence. */
const SPOKEN_MS_PER_LETTER = 50;

export interface AttemptOptions {
  guard: SpeechGuard;
  state: DemoState;
  listener: ConversationListener;
  clock: Clock;
  isVoice: () => boolean;
  reply: Reply;
  order: StepOrder;
}

/** One step of a reply: a request to the models, and who receives the outcome. */
export interface StepOrder {
  mayCallTools: boolean;
  signal: AbortSignal;
  say(sentence: string): void;
  call(call: ToolCall): void;
}

/**
 * One request for words. Sentences are judged at the same time and said in their order. The first one
 * that is held ends it, because those behind it may lean on it; in a second try it is left out.
 */
export class Attempt {
  /** What was let through, as the model is told it in a second try. */
  readonly said: Step = { heard: "", directions: [], calls: [] };
  held: { veto: Veto; sentence: string } | undefined;
  /** The one that is held is a question behind an answer, and nothing follows it: there is nothing to go on with. */
  isEndedByQuestion = false;
  /** Resolves when every sentence so far is said or held. */
  judged: Promise<void> = Promise.resolve();
  readonly signal: AbortSignal;
  readonly #options: AttemptOptions;
  readonly #isSecond: boolean;
  readonly #cut = new AbortController();
  readonly #sentences: string[];
  readonly #noted = new Map<string, string>();
  readonly #calculated: string[] = [];
  #language: string;
  /** The one that was handed over before its verdict. */
  #early: SignalledSentence | undefined;

  constructor(options: AttemptOptions) {
    const { reply, order, state } = options;
    this.#options = options;
    this.#isSecond = reply.hasTriedAgain;
    this.#sentences = [...reply.said];
    this.#language = state.language;
    // The library ends an interrupted step only when its text has ended.
    this.signal = AbortSignal.any([order.signal, reply.signal, this.#cut.signal]);
  }

  take({ text: written, directions }: SignalledSentence): void {
    const { guard } = this.#options;
    const sentence = { text: guard.speakable(written), directions };
    // A model that begins its second try anew would say all of it twice.
    if (this.#isSecond && this.#sentences.some((said) => fold(said) === fold(sentence.text)))
      return;
    const before = [...this.#sentences];
    for (const { name, value } of directions) {
      if (name === "=") this.#calculated.push(...value.split(";").map((one) => one.trim()));
      const note = name === "got" ? readNote(value) : undefined;
      if (note !== undefined) this.#noted.set(note.key, note.quote);
      if (name === "language") this.#language = value;
    }
    const place = {
      language: this.#language,
      before,
      noted: this.#noted,
      calculated: [...this.#calculated],
      withinMs: this.#withinMs(),
      signal: this.signal,
    };
    const verdict = sentence.text === "" ? undefined : guard.judge(sentence, place);
    if (verdict !== undefined && this.#sentences.length === 0) this.#speakEarly(sentence, verdict);
    if (sentence.text !== "") this.#sentences.push(sentence.text);
    verdict?.catch(() => {});
    this.#whenJudged(async () => this.#release(sentence, await verdict));
  }

  /** By voice the first sentence is spoken while it is judged: otherwise every answer would come later. Its sound waits. */
  #speakEarly(sentence: SignalledSentence, verdict: Promise<Veto | undefined>): void {
    const { reply, order, isVoice } = this.#options;
    // What was said while the model thought is being heard: it must not be taken back with this sentence.
    if (!isVoice() || reply.signOfLife !== "") return;
    this.#early = sentence;
    const mayBeHeard = verdict.then(
      (veto) => veto === undefined && !this.signal.aborted,
      () => false,
    );
    reply.sayEarly(sentence.text, mayBeHeard);
    order.say(sentence.text);
  }

  takeCall(call: ToolCall): void {
    this.#whenJudged(() => {
      if (this.held === undefined || this.#isSecond) this.#options.order.call(call);
    });
  }

  /** Awaited when the step ends: until then a failure would count as unhandled, which ends the process. */
  #whenJudged(act: () => void | Promise<void>): void {
    this.judged = this.judged.then(() => act());
    this.judged.catch(() => {});
  }

  #release(sentence: SignalledSentence, veto: Veto | undefined): void {
    const { reply, listener } = this.#options;
    if (this.signal.aborted) return;
    if (this.held !== undefined && !this.#isSecond) {
      if (sentence.text !== "") this.isEndedByQuestion = false;
      return this.#keep(sentence);
    }
    if (veto === undefined) return this.#isFull() ? this.#keep(sentence) : this.#say(sentence);
    this.#keep(sentence);
    reply.held += 1;
    listener.event("held", { code: veto.code, try: this.#isSecond ? 2 : 1 });
    this.held = { veto, sentence: sentence.text };
    if (this.#isSecond) return;
    // The stream goes on behind a question: only so it is known whether something follows it.
    this.isEndedByQuestion = reply.hasWords && isQuestion(sentence);
    if (!this.isEndedByQuestion) this.#cut.abort();
  }

  /** What a model has understood of the visitor stays true though a sentence is not said, and so does the wish to leave an address. */
  #keep({ directions }: SignalledSentence): void {
    const kept = directions.filter(({ name }) => KEPT.has(name));
    this.#say({ text: "", directions: kept });
  }

  #say(sentence: SignalledSentence): void {
    const { reply, order } = this.#options;
    const { text, directions: all } = sentence;
    const directions = this.#within(all);
    const letters = letterCount(this.said.heard);
    for (const { name, value, at } of directions) {
      const place = letters + letterCount(text.slice(0, at));
      this.said.directions.push({ direction: { name, value }, at: place });
    }
    this.said.heard = joinSentences(this.said.heard, text);
    reply.say({ directions }, text);
    if (text !== "" && sentence !== this.#early) order.say(text);
  }

  /** The directions that the turn still has room for. A calculation changes nothing for the visitor. */
  #within(directions: PlacedDirection[]): PlacedDirection[] {
    const { reply } = this.#options;
    return directions.filter(({ name }) => {
      if (name === "=") return true;
      const hasRoom = reply.directions < MOST_DIRECTIONS;
      if (hasRoom) reply.directions += 1;
      else reply.refusedDirections += 1;
      return hasRoom;
    });
  }

  /** A sentence is said whole or not at all: the one that crosses the limit is the last. */
  #isFull(): boolean {
    const { reply, isVoice } = this.#options;
    return spokenWordCount(reply.said.join(" ")) >= MOST_WORDS[isVoice() ? "voice" : "text"];
  }

  /** While the visitor hears earlier sentences, the verifier costs them no time. */
  #withinMs(): number {
    const { reply, isVoice, clock } = this.#options;
    if (!isVoice()) return VERIFIED_WITHIN_MS.text;
    const nowMs = clock.monotonicMs();
    const playedMs = nowMs - (reply.firstTextMs ?? nowMs);
    const aheadMs = reply.saidLetters * SPOKEN_MS_PER_LETTER - playedMs;
    return Math.max(VERIFIED_WITHIN_MS.voice, aheadMs);
  }
}

const KEPT: ReadonlySet<string> = new Set(["got", "language", "email"]);

function isQuestion({ text, directions }: SignalledSentence): boolean {
  return endsInQuestion(text) || directions.some(({ name }) => name === "ask");
}
