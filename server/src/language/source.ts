import { anyCalendar } from "./calendar.ts";
import { excerpt, wordPlaces } from "./excerpt.ts";
import type { Place } from "./excerpt.ts";
import type { Fact } from "./facts.ts";
import { fold, foldLetters, foldSpaces } from "./folding.ts";
import { anyNumberWord } from "./number-words.ts";
import { numbersIn } from "./numbers.ts";

/** A text that facts may come from. */
export class Source {
  readonly text: string;
  #letters: string | undefined;
  #folded: string | undefined;
  #numbers: Set<string> | undefined;
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

  holds({ words, numbers }: Fact): boolean {
    return (
      words.some((word) => this.folded.includes(word)) ||
      numbers.some((number) => this.numbers.has(number))
    );
  }

  get letters(): string {
    return (this.#letters ??= foldLetters(this.text));
  }

  get folded(): string {
    return (this.#folded ??= foldSpaces(this.letters));
  }

  get numbers(): Set<string> {
    if (this.#numbers !== undefined) return this.#numbers;
    const found = new Set(numbersIn(this.letters, anyNumberWord).flatMap(({ keys }) => keys));
    for (const word of this.folded.split(" ")) {
      const date = anyCalendar.get(word);
      if (date !== undefined) found.add(date);
    }
    // An agent's knowledge may be megabytes and stays in memory: not a third time.
    this.#letters = undefined;
    return (this.#numbers = found);
  }
}

function spacesIn(folded: string): number {
  return folded.split(" ").length - 1;
}
