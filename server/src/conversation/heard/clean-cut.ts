/**
 * The text up to about there: never inside a character as people see it, with the punctuation that
 * belongs to its last word, and without space at its end.
 */
export function cleanCut(text: string, end: number): string {
  TRAILING.lastIndex = end;
  const wordEnd = end + (TRAILING.exec(text)?.[0].length ?? 0);
  if (wordEnd >= text.length) return text.trimEnd();
  const grapheme = GRAPHEMES.segment(text).containing(wordEnd);
  if (grapheme === undefined || grapheme.index === wordEnd) return text.slice(0, wordEnd).trimEnd();
  return text.slice(0, grapheme.index + grapheme.segment.length).trimEnd();
}

/** Not what opens the next word, and not what stands inside one, as in "don't" and "3.5". */
const TRAILING = /[^\s\p{L}\p{N}\p{Ps}\p{Pi}]*(?![\p{Lu}\p{Ll}\p{Lt}\p{N}])/uy;
const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
