import { isSmallWord } from "./language-of.ts";

/** Of the words of a text, those that say what it is about, cut to their stems. */
export function contentWords(words: readonly string[]): Set<string> {
  return new Set(words.filter((word) => word.length > 2 && !isSmallWord(word)).map(stem));
}

/** How many of the words are among the others. */
export function shared(words: Set<string>, others: Set<string>): number {
  let count = 0;
  for (const word of words) if (others.has(word)) count += 1;
  return count;
}

/** "visitors" and "visit" are one word to the rules. */
function stem(word: string): string {
  return word.replace(/s$/, "").slice(0, 5);
}
