import type { CallTimes } from "./call-times.ts";
import { IdleWatch } from "./idle-watch.ts";
import type { Screen } from "./screen.ts";

export interface SilenceWatchOptions {
  times: CallTimes;
  screen: Pick<Screen, "card" | "agentListens" | "mode">;
  /** The visitor is there, and expected to say something. */
  isHere: () => boolean;
  /** The agent has something to say. While a page may not play it yet, nobody hears it begin. */
  owesWords: () => boolean;
  /** Who talks is asked whether they are still there. */
  onNudge: () => void;
  /** Who types sees how long they still have. */
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
    // Who looks elsewhere, or has yet to hear what was said last, is not asked every few seconds.
    const byVoice = mode === "voice" && this.#isVisible && !owesWords();
    this.#talking.setQuiet(isQuiet && byVoice);
    this.#typing.setQuiet(isQuiet && !byVoice);
  }

  stop(): void {
    this.#talking.setQuiet(false);
    this.#typing.setQuiet(false);
  }
}
