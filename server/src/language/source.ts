import { calendarOf } from "./calendar.ts";
import { excerpt, wordPlaces } from "./excerpt.ts";
import type { Place } from "./excerpt.ts";
import type { Fact } from "./facts.ts";
import { fold, foldLetters, foldSpaces } from "./folding.ts";
import { numberKeysIn } from "./numbers.ts";

/** A text that facts may come from. */
export class Source {
  readonly text: string;
  #folded: string | undefined;
  #letters: string | undefined;
  #words: Set<string> | undefined;
  readonly #numbers = new Map<string, Set<string>>();
  #places: Place[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Whole words in this order, whatever their case and what stands between them. */
  says(words: string): boolean {
    const folded = fold(words);
    return folded !== " " && this.folded.includes(folded);
  }

  /**
   * The quoted words exactly as they stand here: what is shown as somebody's words must not carry a
   * model's spelling. The quote itself where they cannot be traced.
   */
  excerpt(quote: string): string {
    const wanted = fold(quote);
    const at = this.folded.indexOf(wanted);
    this.#places ??= wordPlaces(this.text);
    if (at < 0 || this.#places === undefined) return quote;
    const before = spacesIn(this.folded.slice(0, at));
    const [first, last] = [this.#places[before], this.#places[before + spacesIn(wanted) - 2]];
    if (first === undefined || last === undefined) return quote;
    return excerpt(this.text, { start: first.start, end: last.end });
  }

  holds({ words, numbers, language = "en" }: Fact): boolean {
    if (words.some((word) => this.folded.includes(word))) return true;
    // What was said in one language may be written down in another.
    const languages = new Set([language, ...LANGUAGES]);
    return numbers.some((number) => [...languages].some((one) => this.#numbersIn(one).has(number)));
  }

  /** @param word folded. */
  hasWord(word: string): boolean {
    this.#words ??= new Set(this.folded.split(" "));
    return this.#words.has(word);
  }

  get folded(): string {
    return (this.#folded ??= foldSpaces(foldLetters(this.text)));
  }

  /** The same without spaces, as what is spelled is looked for. */
  get letters(): string {
    return (this.#letters ??= this.folded.replaceAll(" ", ""));
  }

  #numbersIn(language: string): Set<string> {
    const known = this.#numbers.get(language);
    if (known !== undefined) return known;
    const found = new Set(numberKeysIn(this.text, language).flatMap(({ keys }) => keys));
    const calendar = calendarOf(language);
    for (const word of this.folded.split(" ")) {
      const date = calendar.get(word);
      if (date !== undefined) found.add(date);
    }
    this.#numbers.set(language, found);
    return found;
  }
}

/** The sources of a list of texts that is asked for again and again: read anew, a long talk would slow each sentence. */
export class KeptSources {
  #kept = new Map<string, Source>();

  /** Texts that are in the list no more are forgotten. */
  of(texts: readonly string[]): Source[] {
    const kept = new Map<string, Source>();
    for (const text of texts) kept.set(text, this.#kept.get(text) ?? new Source(text));
    this.#kept = kept;
    return [...kept.values()];
  }
}

/** Read besides a fact's own. */
const LANGUAGES = ["en", "de", "fr", "es"];

function spacesIn(folded: string): number {
  return folded.split(" ").length - 1;
}
