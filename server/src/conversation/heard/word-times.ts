import { lettersOf } from "./letters.ts";
import type { Letter } from "./letters.ts";

/** When a word of the spoken text sounds, in ms since the utterance's first sound. */
export interface TimedWord {
  text: string;
  startMs: number;
  /** Absent for a whole sentence of which only the start is known. */
  endMs?: number | undefined;
}

/** All the sound that came so far, and whether it is all there will be. */
export interface Sound {
  ms: number;
  isComplete: boolean;
}

/** Letters of the spoken text, up to `to`, and the time they take. */
interface Span {
  to: number;
  startMs: number;
  endMs: number | undefined;
  isOneWord: boolean;
}

/** An estimate of how long a letter takes, with its share of spaces, until times are reported. */
const MS_A_LETTER = 75;
/** A word is looked for this many times its length ahead: a short one stands in many places. */
const REACH = 4;

/**
 * Lays the times that a voice reports over the letters it was given. Words that it changed, left
 * out or split are placed between those that it did not.
 */
export class WordTimes {
  readonly #letters: Letter[] = [];
  readonly #spans: Span[] = [];
  #text = "";
  /** Words that stand nowhere in the text, reported since the last one that does. */
  #unplaced: { startMs: number; endMs: number; letters: number } | undefined;

  /** Adds text that will be spoken, after all that was added before. */
  expect(letters: readonly Letter[]): void {
    this.#letters.push(...letters);
    this.#text += letters.map(({ value }) => value).join("");
  }

  add({ text, startMs, endMs }: TimedWord): void {
    const word = lettersOf(text)
      .map(({ value }) => value)
      .join("");
    if (word === "") return;
    // Times that go back would withdraw words that were heard already.
    const start = notBefore(this.#lastMs, startMs);
    const end = endMs === undefined ? undefined : notBefore(start, endMs);
    const at = this.#find(word);
    if (at === undefined) {
      this.#unplaced = {
        startMs: this.#unplaced?.startMs ?? start,
        endMs: end ?? start + MS_A_LETTER * word.length,
        letters: (this.#unplaced?.letters ?? 0) + word.length,
      };
      return;
    }
    if (at > this.#placed) this.#fillTo(at, start);
    this.#unplaced = undefined;
    const to = at + word.length;
    this.#spans.push({ to, startMs: start, endMs: end, isOneWord: end !== undefined });
  }

  /** Returns how many letters belong to words whose middle has been played. */
  heardLetters(positionMs: number, sound: Sound): number {
    let heard = 0;
    for (const [atMs, letters] of this.reached(sound)) {
      if (atMs > positionMs) break;
      heard = letters;
    }
    return heard;
  }

  /** When so many letters have been heard, word by word. */
  *reached(sound: Sound): Generator<[atMs: number, letters: number]> {
    let from = 0;
    for (const span of this.#spansUntil(sound)) {
      yield* this.#reachedIn(span, from);
      from = span.to;
    }
  }

  get #placed(): number {
    return this.#spans.at(-1)?.to ?? 0;
  }

  get #lastMs(): number {
    const last = this.#spans.at(-1);
    return this.#unplaced?.startMs ?? last?.endMs ?? last?.startMs ?? 0;
  }

  #find(word: string): number | undefined {
    const from = this.#placed;
    let at = this.#text.indexOf(word, from);
    while (at > from && !this.#letters[at - 1]!.endsWord) at = this.#text.indexOf(word, at + 1);
    return at >= from && at - from <= REACH * word.length ? at : undefined;
  }

  /** Adds a span for letters without reported times, between those that have one. */
  #fillTo(to: number, endMs: number): void {
    const last = this.#spans.at(-1);
    if (last !== undefined && last.endMs === undefined && this.#unplaced === undefined)
      last.to = to;
    else this.#spans.push({ to, startMs: this.#lastMs, endMs, isOneWord: false });
  }

  /** Returns all spans, each with a known or estimated end, including the text without times as far as it can be placed. */
  #spansUntil({ ms, isComplete }: Sound): (Span & { endMs: number })[] {
    const spans = [...this.#spans];
    const rest = this.#restUntil(isComplete);
    const last = spans.at(-1);
    // A sentence that only has a start ends where the next one begins.
    if (rest !== undefined && this.#unplaced === undefined && last?.endMs === undefined)
      spans.pop();
    if (rest !== undefined) spans.push(rest);
    return spans.map((span, index) => {
      const from = spans[index - 1]?.to ?? 0;
      const guessedMs = span.startMs + MS_A_LETTER * (span.to - from);
      const lastMs = isComplete && span.to === this.#letters.length ? ms : Math.max(guessedMs, ms);
      return { ...span, endMs: span.endMs ?? spans[index + 1]?.startMs ?? lastMs };
    });
  }

  /** Returns the span in which no word was placed yet; undefined if there is none, or while its word times may still arrive. */
  #restUntil(isComplete: boolean): Span | undefined {
    const all = this.#letters.length;
    if (this.#placed === all) return undefined;
    const startMs = this.#lastMs;
    if (isComplete || (this.#spans.length === 0 && this.#unplaced === undefined))
      return { to: all, startMs, endMs: undefined, isOneWord: false };
    if (this.#unplaced === undefined) return undefined;
    const { letters, endMs } = this.#unplaced;
    return { to: Math.min(all, this.#placed + letters), startMs, endMs, isOneWord: false };
  }

  *#reachedIn(
    { to, startMs, endMs, isOneWord }: Span & { endMs: number },
    from: number,
  ): Generator<[atMs: number, letters: number]> {
    if (isOneWord) return yield [(startMs + endMs) / 2, to];
    let word = from;
    for (let at = from; at < to; at += 1) {
      if (!this.#letters[at]!.endsWord && at + 1 < to) continue;
      const middle = (word + at + 1) / 2 - from;
      yield [startMs + ((endMs - startMs) * middle) / (to - from), at + 1];
      word = at + 1;
    }
  }
}

function notBefore(earliestMs: number, ms: number): number {
  return Number.isFinite(ms) ? Math.max(earliestMs, ms) : earliestMs;
}
