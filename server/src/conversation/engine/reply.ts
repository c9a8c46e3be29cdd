import type { Goal } from "../plan/goal.ts";
import type { Step } from "./dialogue.ts";
import type { SpokenTurn } from "./spoken-turns.ts";

/** The agent's side of one turn: all requests, tools and phrases until the visitor's next. */
export class Reply {
  readonly #cutting = new AbortController();
  readonly startedMs: number;
  readonly #isAnswer: boolean;
  readonly #spoken: SpokenTurn | undefined;
  /** When a model had the first of it, the visitor's loudspeaker, and the visitor. */
  firstTokenMs: number | undefined;
  firstAudioMs: number | undefined;
  firstTextMs: number | undefined;
  /** The first turn that came of it. */
  turnId: string | undefined;
  goal: Goal | undefined;
  /** The step that is under way, or was last. */
  step: Step | undefined;
  steps = 0;
  toolCalls = 0;
  /** Beyond what one turn may have. */
  refusedCalls = 0;
  /** A sentence of it was let through. It may be on its way still. */
  hasWords = false;
  /** The session ends when this was said. */
  isLast = false;
  /** Why no model had anything to say. */
  trouble: unknown;

  /** @param visitorTurn what it answers, if anything: its sound, or `typed`. */
  constructor(startedMs: number, visitorTurn?: SpokenTurn | "typed") {
    this.startedMs = startedMs;
    this.#isAnswer = visitorTurn !== undefined;
    this.#spoken = visitorTurn === "typed" ? undefined : visitorTurn;
  }

  get hasSpoken(): boolean {
    return this.firstTextMs !== undefined;
  }

  /** The visitor has cut in, or is gone. */
  get isCut(): boolean {
    return this.#cutting.signal.aborted;
  }

  /** Every turn of the visitor's gets words. */
  get owesWords(): boolean {
    return !this.hasSpoken && !this.isCut;
  }

  get signal(): AbortSignal {
    return this.#cutting.signal;
  }

  get whenCut(): Promise<undefined> {
    return new Promise((resolve) => {
      if (this.isCut) resolve(undefined);
      this.signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
  }

  cut(): void {
    this.#cutting.abort();
  }

  /** For the operator. */
  figures(nowMs: number): Record<string, number | boolean> {
    const since = (ms: number): number => Math.round(ms - this.startedMs);
    return {
      ...(this.firstTextMs !== undefined && { first_text_ms: since(this.firstTextMs) }),
      whole_ms: since(nowMs),
      steps: this.steps,
      tool_calls: this.toolCalls,
      ...(this.refusedCalls > 0 && { refused_calls: this.refusedCalls }),
      ...(this.isCut && { cut: true }),
    };
  }

  /** How long the visitor waited, stage by stage, since they stopped speaking or sent their text. */
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
