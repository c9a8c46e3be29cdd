import { foldLetters, isAscii, WORD } from "./folding.ts";

/** Where a word begins and ends in a text. */
export interface Place {
  start: number;
  end: number;
}

/** The places of a text's folded words, in their order. Undefined where they cannot be traced. */
export function wordPlaces(text: string): Place[] | undefined {
  const letters = foldLetters(text);
  if (isAscii(text)) {
    return [...letters.matchAll(WORD)].map(({ 0: word, index }) => ({
      start: index,
      end: index + word.length,
    }));
  }
  const origins: Place[] = [];
  let traced = "";
  for (const { segment, index } of CHARACTERS.segment(text)) {
    const folded = foldLetters(segment);
    traced += folded;
    const origin = { start: index, end: index + segment.length };
    for (let unit = 0; unit < folded.length; unit++) origins.push(origin);
  }
  // Folded piece by piece a text may differ from itself folded as a whole. Then no place is certain.
  if (traced !== letters) return undefined;
  return [...letters.matchAll(WORD)].map(({ 0: word, index }) => ({
    start: origins[index]?.start ?? 0,
    end: origins[index + word.length - 1]?.end ?? text.length,
  }));
}

const CHARACTERS = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A part of a text, with the signs that touch it: "$" before a price, "%)." behind a share. */
export function excerpt(text: string, { start, end }: Place): string {
  const before = text.slice(Math.max(0, start - MAX_SIGNS), start);
  const [opening = ""] = /[^\s\p{L}\p{N}]*$/u.exec(before) ?? [];
  const [closing = ""] = /^[^\s\p{L}\p{N}]*/u.exec(text.slice(end, end + MAX_SIGNS)) ?? [];
  return opening + text.slice(start, end) + closing;
}

/** The maximum number of signs in a row; more are decoration. */
const MAX_SIGNS = 4;
