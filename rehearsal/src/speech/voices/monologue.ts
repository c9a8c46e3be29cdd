import type { SpeechParts } from "../speech-parts.ts";
import { utter } from "./utter.ts";
import type { Manner, UtterListener } from "./utter.ts";

/** Sentences that are said one after the other. Times of words count from the start of the first. */
export class Monologue {
  readonly #parts: SpeechParts;
  readonly #manner: Manner;
  readonly #listener: UtterListener;
  readonly #stop = new AbortController();
  /** How long all was that has been asked, once it has left. */
  #spokenMs: Promise<number> = Promise.resolve(0);

  constructor(parts: SpeechParts, manner: Manner, listener: UtterListener) {
    this.#parts = parts;
    this.#manner = manner;
    this.#listener = listener;
  }

  say(text: string): void {
    if (text.trim() === "") return;
    const { signal } = this.#stop;
    let beforeMs = 0;
    const after = this.#spokenMs.then((ms) => {
      beforeMs = ms;
    });
    const saying = utter(
      this.#parts,
      { ...this.#manner, text: text.trim(), after, signal },
      {
        ...this.#listener,
        words: (words) =>
          this.#listener.words(
            words.map((word) => ({
              text: word.text,
              startMs: word.startMs + beforeMs,
              endMs: word.endMs + beforeMs,
            })),
          ),
      },
    );
    this.#spokenMs = saying.then(
      (ms) => beforeMs + ms,
      (error: unknown) => {
        console.error(error instanceof Error ? error.message : error);
        this.stop();
        this.#listener.cut();
        return beforeMs;
      },
    );
  }

  /** When all that was asked has left, unless it was stopped. */
  whenSaid(action: () => void): void {
    void this.#spokenMs.then(() => {
      if (!this.#stop.signal.aborted) action();
    });
  }

  stop(): void {
    this.#stop.abort();
  }
}
