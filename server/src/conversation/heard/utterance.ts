import { storable } from "#platform";
import { lettersOf } from "./letters.ts";
import { speakable } from "./speakable.ts";
import { WordTimes } from "./word-times.ts";
import type { TimedWord } from "./word-times.ts";

/** One speech of the agent: its sentences as written, as spoken, and the times of their words. */
export class Utterance {
  readonly #language: string;
  #times = new WordTimes();
  /** For each spoken letter, the end of the written text that is heard with it. */
  #heardWith: number[] = [];
  #written = "";
  #soundMs = 0;
  #isComplete = false;
  /** Found out once for all that is known so far: it takes a while. */
  #marked: { known: string; marks: [atMs: number, length: number][] } | undefined;

  constructor(language: string) {
    this.#language = language;
  }

  /** Adds a sentence. Returns the text for the voice, empty where there is nothing to say. */
  say(sentence: string): string {
    const written = storable(sentence).trim();
    if (written === "") return "";
    const pieces = speakable(written, this.#language);
    let start = this.#written === "" ? 0 : this.#written.length + 1;
    this.#written += `${this.#written === "" ? "" : " "}${written}`;

    const spoken = pieces.map((piece) => piece.spoken).join("");
    const letters = lettersOf(spoken);
    let letter = 0;
    let spokenStart = 0;
    for (const piece of pieces) {
      const spokenEnd = spokenStart + piece.spoken.length;
      const isRead = piece.spoken === piece.written;
      for (; letter < letters.length && letters[letter]!.end <= spokenEnd; letter += 1) {
        const isLast = (letters[letter + 1]?.end ?? Infinity) > spokenEnd;
        if (isRead) this.#heardWith.push(start + letters[letter]!.end - spokenStart);
        else if (isLast) this.#heardWith.push(start + piece.written.length);
        // Half of "29 dollars" is no part of "$29".
        else this.#heardWith.push(this.#heardWith.at(-1) ?? 0);
      }
      start += piece.written.length;
      spokenStart = spokenEnd;
    }
    this.#times.expect(letters);
    return spoken.replaceAll(/\s+/g, " ").trim();
  }

  /** Takes back all of it, before any of it was played. */
  clear(): void {
    this.#times = new WordTimes();
    this.#heardWith = [];
    this.#written = "";
  }

  /** Adds the times of spoken words, in order, as the voice reports them. */
  timed(words: readonly TimedWord[]): void {
    for (const word of words) this.#times.add(word);
  }

  /** Adds to the length of the sound. */
  addAudio(ms: number): void {
    this.#soundMs += ms;
  }

  /** Marks the sound as complete. */
  complete(): void {
    this.#isComplete = true;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** All sentences as written, one space between. */
  get written(): string {
    return this.#written;
  }

  /** How much of `written` has been heard at which position, in order. */
  marks(): [atMs: number, length: number][] {
    const sound = { ms: this.#soundMs, isComplete: this.#isComplete };
    const known = `${this.#written.length} ${sound.ms} ${sound.isComplete}`;
    if (this.#marked?.known === known) return this.#marked.marks;
    const marks: [atMs: number, length: number][] = [];
    for (const [atMs, letters] of this.#times.reached(sound)) {
      const { length } = cleanCut(this.#written, this.#heardWith[letters - 1] ?? 0);
      if (length > (marks.at(-1)?.[1] ?? 0)) marks.push([Math.ceil(atMs), length]);
    }
    this.#marked = { known, marks };
    return marks;
  }

  /** Returns what was heard by then: a clean prefix of `written`. */
  heard(positionMs: number): string {
    const playedMs = Math.min(positionMs, this.#soundMs);
    if (!(playedMs > 0)) return "";
    const sound = { ms: this.#soundMs, isComplete: this.#isComplete };
    // Positions are rounded to whole milliseconds.
    if (sound.isComplete && playedMs > sound.ms - 1) return this.#written;
    const letters = this.#times.heardLetters(playedMs, sound);
    const end = this.#heardWith[letters - 1] ?? 0;
    return end === 0 ? "" : cleanCut(this.#written, end);
  }
}

/**
 * The text up to about there: never inside a character as people see it, with the punctuation that
 * belongs to its last word, and without space at its end.
 */
function cleanCut(text: string, end: number): string {
  TRAILING.lastIndex = end;
  const wordEnd = end + (TRAILING.exec(text)?.[0].length ?? 0);
  if (wordEnd >= text.length) return text.trimEnd();
  const grapheme = GRAPHEMES.segment(text).containing(wordEnd);
  if (grapheme === undefined || grapheme.index === wordEnd) return text.slice(0, wordEnd).trimEnd();
  return text.slice(0, grapheme.index + grapheme.segment.length).trimEnd();
}

/** Matches the punctuation after a word. It excludes what opens the next word and what stands inside one, as in "don't" and "3.5". */
const TRAILING = /[^\s\p{L}\p{N}\p{Ps}\p{Pi}]*(?![\p{Lu}\p{Ll}\p{Lt}\p{N}])/uy;
const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
