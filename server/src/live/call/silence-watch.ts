import type { Clock } from "#platform";
import type { CallTimes } from "./call-options.ts";
import type { Screen } from "./screen.ts";

export interface SilenceWatchOptions {
  times: CallTimes;
  screen: Pick<Screen, "card" | "agentListens" | "mode">;
  /** The visitor is there, and expected to say something. */
  isHere: () => boolean;
  /** The agent has something to say. While a page may not play it yet, nobody hears it begin. */
  owesWords: () => boolean;
  /** A visitor who talks is asked whether they are still there. */
  onNudge: () => void;
  /** A visitor who types sees how long they still have. */
  onWarning: (leftMs: number) => void;
  onEnd: () => void;
}

/** Watches a visitor who says nothing: by voice a pause is short, in writing it is not. */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  readonly #talking: IdleWatch;
  readonly #typing: IdleWatch;
  #isVisible = true;
  #isSpeaking = false;

  constructor(options: SilenceWatchOptions) {
    const { times, onNudge, onWarning, onEnd } = options;
    const leftMs = times.idleEndMs - times.idleWarningMs;
    this.#options = options;
    this.#talking = new IdleWatch([
      { afterMs: times.nudgeMs, act: onNudge },
      { afterMs: times.nudgeMs, act: onNudge },
      { afterMs: times.nudgedEndMs, act: onEnd },
    ]);
    this.#typing = new IdleWatch([
      { afterMs: times.idleWarningMs, act: () => onWarning(leftMs) },
      { afterMs: leftMs, act: onEnd },
    ]);
  }

  /** The visitor sees the page, or looks elsewhere. */
  setVisible(visible: boolean): void {
    this.#isVisible = visible;
    this.look();
  }

  setSpeaking(speaking: boolean): void {
    this.#isSpeaking = speaking;
    this.look();
  }

  /** The visitor did something: the count begins anew. */
  acted(): void {
    this.#talking.acted();
    this.#typing.acted();
  }

  /** It may be somebody else's turn. */
  look(): void {
    const { screen, isHere, owesWords } = this.#options;
    const { card, agentListens, mode } = screen;
    // An open card excuses the visitor, unless they do not even look at it.
    const isBusy =
      this.#isSpeaking || (card !== null && card.kind !== "replies" && this.#isVisible);
    const isQuiet = isHere() && agentListens && !isBusy;
    // A visitor who looks elsewhere, or has yet to hear the last sentence, is not asked every few seconds.
    const byVoice = mode === "voice" && this.#isVisible && !owesWords();
    this.#talking.setQuiet(isQuiet && byVoice);
    this.#typing.setQuiet(isQuiet && !byVoice);
  }

  stop(): void {
    this.#talking.setQuiet(false);
    this.#typing.setQuiet(false);
  }
}

export interface TimeWatchOptions {
  clock: Clock;
  leftMs: number;
  warnBeforeMs: number;
  onWarning: (leftMs: number) => void;
  onEnd: () => void;
}

/** Tells when the longest conversation is nearly over, and when it is. */
export class TimeWatch {
  readonly #options: TimeWatchOptions;
  readonly #endsAtMs: number;
  #timers: NodeJS.Timeout[] = [];

  constructor(options: TimeWatchOptions) {
    this.#options = options;
    this.#endsAtMs = options.clock.monotonicMs() + options.leftMs;
  }

  /** Call it once the callbacks can act: a warning before that would be lost. */
  start(): void {
    const { clock, warnBeforeMs, onWarning, onEnd } = this.#options;
    const leftMs = Math.max(0, this.#endsAtMs - clock.monotonicMs());
    this.#timers = [setTimeout(onEnd, leftMs)];
    if (leftMs > warnBeforeMs) {
      this.#timers.push(setTimeout(() => onWarning(warnBeforeMs), leftMs - warnBeforeMs));
    }
  }

  get secondsLeft(): number {
    return Math.max(0, Math.ceil((this.#endsAtMs - this.#options.clock.monotonicMs()) / 1_000));
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

/** An action that is taken when the visitor has done nothing for this long after the step before. */
export interface IdleStep {
  afterMs: number;
  act: () => void;
}

/** Counts the time in which nobody does anything, and takes one step after another. */
export class IdleWatch {
  readonly #steps: readonly IdleStep[];
  #next = 0;
  #quiet = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(steps: readonly IdleStep[]) {
    this.#steps = steps;
  }

  /** Sets whether it is the visitor's turn and nothing excuses their silence. A step that was taken stays taken. */
  setQuiet(quiet: boolean): void {
    if (quiet === this.#quiet) return;
    this.#quiet = quiet;
    this.#wait();
  }

  /** The visitor did something: the first step is next. */
  acted(): void {
    this.#next = 0;
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const step = this.#steps[this.#next];
    if (!this.#quiet || step === undefined) return;
    this.#timer = setTimeout(() => {
      this.#next += 1;
      this.#wait();
      step.act();
    }, step.afterMs);
  }
}
