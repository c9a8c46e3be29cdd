import type { ToolCall } from "#models";
import type { SignalledSentence } from "../signals/signal-reader.ts";
import type { Direction } from "../signals/direction.ts";
import { letterCount } from "./dialogue.ts";
import type { Step } from "./dialogue.ts";
import type { SpokenTurn } from "./spoken-turns.ts";

/** The agent's side of one turn: all requests, tools and phrases until the visitor's next. */
export class Reply {
  readonly #interruption = new AbortController();
  readonly startedMs: number;
  /** True where the visitor said or typed something, and waits. */
  readonly isAnswer: boolean;
  readonly #spoken: SpokenTurn | undefined;
  /** When the first token arrived, the first sound was ready, and the visitor had the first words. */
  firstTokenMs: number | undefined;
  firstAudioMs: number | undefined;
  firstTextMs: number | undefined;
  /** How long the visitor who interrupted it had spoken when it fell silent. */
  silentMs: number | undefined;
  /** The first turn that this reply became. */
  turnId: string | undefined;
  /** The current or last step. */
  step: Step | undefined;
  steps = 0;
  searches = 0;
  /** What a model wants back with its calls, by their ids. The library does not keep it. */
  readonly extras: Map<string, ToolCall["extra"]> = new Map();
  directions = 0;
  /** Directions beyond the limit of a turn, and what the guard held back. */
  refusedDirections = 0;
  held = 0;
  hasTriedAgain = false;
  /** Sentences that were handed over while they are judged, and whether they may be heard. */
  readonly #early: { text: string; mayBeHeard: Promise<boolean> }[] = [];
  /** Sentences that passed the guard, in all steps. The visitor may not have heard them yet. */
  readonly said: string[] = [];
  /** What is said at once, before a model has answered. */
  opening: string | undefined;
  /** What was said while a model thought; empty otherwise. */
  signOfLife = "";
  /** Waiting for the word that they belong to. */
  #waiting: { direction: Direction; at: number }[] = [];
  /** Sentences that were not heard to their end yet, and the number of letters at which they are. */
  #unheard: { text: string; end: number }[] = [];
  /** Names of sections of the knowledge that the visitor was told as sources. */
  readonly cited: Set<string> = new Set();
  #saidLetters = 0;
  #lettersBeforeStep = 0;
  /** Of the turns that are complete. */
  #heardLetters = 0;
  /** True when the model said goodbye in it, and that was heard. */
  isGoodbye = false;
  /** The error because of which no model answered. */
  trouble: unknown;

  /** @param visitorTurn the spoken turn that it answers, `typed` for a typed one, undefined for none. */
  constructor(startedMs: number, visitorTurn?: SpokenTurn | "typed") {
    this.startedMs = startedMs;
    this.isAnswer = visitorTurn !== undefined;
    this.#spoken = visitorTurn === "typed" ? undefined : visitorTurn;
  }

  get hasSpoken(): boolean {
    return this.firstTextMs !== undefined;
  }

  /** True after a barge-in, or when the visitor has left. */
  get isInterrupted(): boolean {
    return this.#interruption.signal.aborted;
  }

  beginStep(step: Step): void {
    this.step = step;
    this.steps += 1;
    this.#lettersBeforeStep = this.#saidLetters;
  }

  /** Counted from the beginning of the current step. */
  lettersInStep(at: number): number {
    return at - this.#lettersBeforeStep;
  }

  /** Hands a sentence over before its verdict, so that its sound is made meanwhile. */
  sayEarly(text: string, mayBeHeard: Promise<boolean>): void {
    this.#early.push({ text, mayBeHeard });
  }

  /** Undefined for a sentence that was judged before it was handed over. */
  verdictOn(text: string): Promise<boolean> | undefined {
    return this.#early[0]?.text === text.trim() ? this.#early.shift()?.mayBeHeard : undefined;
  }

  get saidLetters(): number {
    return this.#saidLetters;
  }

  get hasWords(): boolean {
    return this.said.length > 0;
  }

  /** @param text the part of the sentence that is said; empty for directions behind the last word. */
  say({ directions }: Pick<SignalledSentence, "directions">, text: string): void {
    for (const { name, value, at } of directions) {
      const before = letterCount(text.slice(0, at));
      this.#waiting.push({ direction: { name, value }, at: this.#saidLetters + before });
    }
    this.#saidLetters += letterCount(text);
    if (text === "") return;
    this.said.push(text);
    this.#unheard.push({ text, end: this.#saidLetters });
  }

  saySignOfLife(phrase: string): void {
    const letters = letterCount(phrase);
    this.signOfLife = phrase;
    this.#saidLetters += letters;
    this.#lettersBeforeStep += letters;
  }

  /** True where a turn is the whole sign of life, and the model still thinks. */
  isSilentBehind(turn: string): boolean {
    return turn === this.signOfLife && this.owesWords;
  }

  /** The words of a turn as models are told them: one that reads the phrase as its own would begin every reply with it. */
  withoutSignOfLife(turn: string): string {
    if (this.signOfLife.startsWith(turn)) return "";
    return turn.startsWith(this.signOfLife) ? turn.slice(this.signOfLife.length).trim() : turn;
  }

  /**
   * The sentences that were heard to their end, each once. To be asked before `heard`.
   *
   * @param turn the words of the current turn so far.
   */
  takeHeardSentences(turn: string): string[] {
    const heard = this.#heardLetters + letterCount(turn);
    const due = this.#unheard.filter(({ end }) => end <= heard);
    this.#unheard = this.#unheard.slice(due.length);
    return due.map(({ text }) => text);
  }

  /**
   * The directions whose word was heard, each once.
   *
   * @param turn the words of the current turn so far.
   */
  heard(turn: string, isComplete = false): { direction: Direction; at: number }[] {
    const heard = this.#heardLetters + letterCount(turn);
    if (isComplete) this.#heardLetters = heard;
    const isDue = ({ at }: { at: number }): boolean =>
      at < heard || (isComplete && heard >= this.#saidLetters);
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((one) => !isDue(one));
    return due;
  }

  /** True while the visitor's turn has no words in answer to it. */
  get owesWords(): boolean {
    const hasAnswered = this.signOfLife === "" ? this.hasSpoken : this.hasWords;
    return !hasAnswered && !this.isInterrupted;
  }

  get signal(): AbortSignal {
    return this.#interruption.signal;
  }

  get whenInterrupted(): Promise<undefined> {
    return new Promise((resolve) => {
      if (this.isInterrupted) resolve(undefined);
      this.signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
  }

  interrupt(): void {
    this.#interruption.abort();
  }

  /** Counts and durations for the operator's log. */
  figures(nowMs: number): Record<string, number | boolean> {
    const since = (ms: number): number => Math.round(ms - this.startedMs);
    return {
      ...(this.firstTextMs !== undefined && { first_text_ms: since(this.firstTextMs) }),
      ...(this.isAnswer &&
        this.firstTextMs !== undefined && { answer_ms: this.#waited(this.firstTextMs) }),
      whole_ms: since(nowMs),
      steps: this.steps,
      searches: this.searches,
      ...(this.signOfLife !== "" && { sign_of_life: true }),
      ...(this.held > 0 && { held: this.held }),
      ...(this.hasTriedAgain && { tried_again: true }),
      ...(this.refusedDirections > 0 && { refused_directions: this.refusedDirections }),
      ...(this.isInterrupted && { cut: true }),
      ...(this.silentMs !== undefined && { silent_ms: Math.round(this.silentMs) }),
    };
  }

  /** Returns how long the visitor waited, stage by stage, since they stopped speaking or sent their text. */
  timings(): Record<string, number | string> | undefined {
    if (!this.isAnswer || this.turnId === undefined || this.firstAudioMs === undefined)
      return undefined;
    const { transcriptAtMs, endedAtMs } = this.#spoken ?? {};
    const stages = {
      transcript_ms: transcriptAtMs,
      end_of_turn_ms: endedAtMs,
      first_token_ms: this.firstTokenMs,
      first_audio_ms: this.firstAudioMs,
      playback_ms: this.firstTextMs,
    };
    const reached = Object.entries(stages).flatMap(([stage, atMs]) =>
      atMs === undefined ? [] : [[stage, this.#waited(atMs)] as const],
    );
    return { turn: this.turnId, ...Object.fromEntries(reached) };
  }

  /** Since the visitor stopped speaking, or sent their text. */
  #waited(untilMs: number): number {
    const { stoppedAtMs, endedAtMs } = this.#spoken ?? {};
    return Math.max(0, Math.round(untilMs - (stoppedAtMs ?? endedAtMs ?? this.startedMs)));
  }
}
