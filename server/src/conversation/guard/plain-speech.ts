/** A sentence as it can be spoken: without the signs of markdown, without emoji, on one line. */
export function plainSpeech(sentence: string): string {
  return sentence
    .slice(0, LONGEST)
    .toWellFormed()
    .replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
    .replaceAll(/^\s*(?:#{1,6}|[-*•>]|\d+[.)])\s+/gm, "")
    .replaceAll(/\*\*|__|`+|~~|(?<!\p{L})[*_]|[*_](?!\p{L})/gu, "")
    .replaceAll(/[\p{Extended_Pictographic}\u{FE0F}\u{200D}]+/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** More is never said, and patterns take long on a model's endless lines. */
const LONGEST = 2_000;
