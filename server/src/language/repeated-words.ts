import { fold } from "./folding.ts";
import type { Source } from "./source.ts";

/** Five words in a row are no chance any more. */
const RUN = 5;
/** A word of a script without spaces has about two characters, each of which counts as one. */
const RUN_OF_CHARACTERS = 10;

/**
 * Returns whether a text has five words in a row from one of others, or as many as are asked for.
 *
 * @param allowed texts that may be repeated: words that stand there too do not count.
 */
export function repeatsWords(
  text: string,
  others: Source[],
  minWords: number = RUN,
  allowed: Source[] = [],
): boolean {
  const folded = fold(text);
  const words = folded.trim().split(" ");
  const run = folded.length / words.length > 3 ? minWords : RUN_OF_CHARACTERS;
  for (let at = 0; at + run <= words.length; at++) {
    const wanted = words.slice(at, at + run);
    // Looking for single words first spares most searches of the whole text.
    const likely = others.filter((source) => wanted.every((word) => source.hasWord(word)));
    if (likely.length === 0) continue;
    const part = ` ${wanted.join(" ")} `;
    const isIn = (source: Source): boolean => source.folded.includes(part);
    if (likely.some(isIn) && !allowed.some(isIn)) return true;
  }
  return false;
}

/** The text as it reads backwards, and with the alphabet turned by half. */
export function inCode(text: string): string[] {
  return [Array.from(text).toReversed().join(""), text.replaceAll(/[a-z]/gi, rotated)];
}

function rotated(letter: string): string {
  const first = letter < "a" ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
}
