import type { Goal } from "../plan/goal.ts";
import type { Step } from "./dialogue.ts";
import type { SpokenTurn } from "./spoken-turns.ts";

/** The agent's side of one turn: all requests, tools and phrases until the visitor's next. */
export class Reply {
  readonly #interruption = new AbortController();
  readonly startedMs: number;
  readonly #isAnswer: boolean;
  readonly #spoken: SpokenTurn | undefined;
  /** When the first token arrived, the first sound was ready, and the visitor had the first words. */
  firstTokenMs: number | undefined;
  firstAudioMs: number | undefined;
  firstTextMs: number | undefined;
  /** The first turn that this reply became. */
  turnId: string | undefined;
  goal: Goal | undefined;
  /** The current or last step. */
  step: Step | undefined;
  steps = 0;
  toolCalls = 0;
  /** Tool calls beyond the limit of a turn. */
  refusedCalls = 0;
  /** True once a sentence passed the guard. The visitor may not have heard it yet. */
  hasWords = false;
  /** True when the session ends after this reply. */
  isLast = false;
  /** The error because of which no model answered. */
  trouble: unknown;

  /** @param visitorTurn the spoken turn that it answers, `typed` for a typed one, undefined for none. */
  constructor(startedMs: number, visitorTurn?: SpokenTurn | "typed") {
    this.startedMs = startedMs;
    this.#isAnswer = visitorTurn !== undefined;
    this.#spoken = visitorTurn === "typed" ? undefined : visitorTurn;
  }

  get hasSpoken(): boolean {
    return this.firstTextMs !== undefined;
  }

  /** True after a barge-in, or when the visitor has left. */
  get isInterrupted(): boolean {
    return this.#interruption.signal.aborted;
  }

  /** True while the visitor's turn has no words in answer to it. */
  get owesWords(): boolean {
    return !this.hasSpoken && !this.isInterrupted;
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
      whole_ms: since(nowMs),
      steps: this.steps,
      tool_calls: this.toolCalls,
      ...(this.refusedCalls > 0 && { refused_calls: this.refusedCalls }),
      ...(this.isInterrupted && { cut: true }),
    };
  }

  /** Returns how long the visitor waited, stage by stage, since they stopped speaking or sent their text. */
  timings(): Record<string, number | string> | undefined {
    if (!this.#isAnswer || this.turnId === undefined || this.firstAudioMs === undefined)
      return undefined;
    const { stoppedAtMs, transcriptAtMs, endedAtMs } = this.#spoken ?? {};
    const fromMs = stoppedAtMs ?? endedAtMs ?? this.startedMs;
    const stages = {
      transcript_ms: transcriptAtMs,
      end_of_turn_ms: endedAtMs,
      first_token_ms: this.firstTokenMs,
      first_audio_ms: this.firstAudioMs,
      playback_ms: this.firstTextMs,
    };
    const reached = Object.entries(stages).flatMap(([stage, atMs]) =>
      atMs === undefined ? [] : [[stage, Math.max(0, Math.round(atMs - fromMs))] as const],
    );
    return { turn: this.turnId, ...Object.fromEntries(reached) };
  }
}
