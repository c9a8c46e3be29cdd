/**
 * A text as quotes are compared: NFKC, without case, each word between single spaces and nothing
 * else. What is found in it, spaces included, are whole words: "12" is not in "120".
 */
export function fold(text: string): string {
  return foldSpaces(foldLetters(text));
}

/** The second half of `fold`. */
export function foldSpaces(letters: string): string {
  const words = letters.match(WORD);
  return words === null ? " " : ` ${words.join(" ")} `;
}

/** Without spaces, as one word is looked up in a list. */
export function foldWord(word: string): string {
  return fold(word).trim();
}

/** The first half of `fold`: its letters, with all that stands between them. */
export function foldLetters(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return (
    text
      .normalize("NFKC")
      // Upper case first: it makes ß and ss equal, and the three forms of sigma.
      .toUpperCase()
      .toLowerCase()
      .replaceAll("ς", "σ")
      .replace(INVISIBLE, "")
  );
}

/** Then folding changes nothing but the case. */
export function isAscii(text: string): boolean {
  return /^[\x20-\x7E]*$/.test(text);
}

/** Marks that nobody sees or says: soft hyphens, joiners, variants of emoji. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Me}]+/gu;

/** Scripts that put no space between words. There every character is one: a quote may begin anywhere. */
export const UNSPACED: string = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`;

/** For a pattern with the flag v: a character of a word that is written between spaces. */
export const SPACED: string = String.raw`[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]`;

export const WORD: RegExp = new RegExp(
  String.raw`[[\p{L}\p{N}]&&[${UNSPACED}]]\p{M}*|[[\p{L}\p{N}]--[${UNSPACED}]]${SPACED}*`,
  "gv",
);

/** Returns whether a text has at least that many words, as people count them: by spaces and hyphens, or by a dictionary for scripts without spaces. "Don't" is one word. */
export function hasWords(text: string, min: number): boolean {
  if (!HAS_UNSPACED.test(text))
    return (text.match(/(?<![^\s\p{Pd}])[^\s\p{Pd}]*?[\p{L}\p{N}]/gu)?.length ?? 0) >= min;
  const words = [...WORDS.segment(text)].filter(({ isWordLike }) => isWordLike === true);
  return words.length >= min;
}

const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, "v");
const WORDS = new Intl.Segmenter("en", { granularity: "word" });

/** Counts words as people do: what stands between spaces and has a letter or a digit. */
export function wordCount(text: string): number {
  return spokenWords(text).length;
}

/** The same where scripts without spaces count too: about two characters are a word there. */
export function spokenWordCount(text: string): number {
  const rest = text.replaceAll(UNSPACED_CHARACTER, " ");
  return wordCount(rest) + Math.ceil((text.match(UNSPACED_CHARACTER)?.length ?? 0) / 2);
}

const UNSPACED_CHARACTER = new RegExp(`[${UNSPACED}]`, "gv");

/** The first words of a text, as many as may be said. */
export function cutAtWord(text: string, maxWords: number): string {
  const words = spokenWords(text);
  const last = words[maxWords - 1];
  if (last === undefined || words.length === maxWords) return text;
  return `${text.slice(0, last.index + last[0].length).replace(/(?<![,;:–-])[,;:–-]+$/u, "")}…`;
}

/** In one pattern, a long row of signs would be read again from each of them. */
function spokenWords(text: string): RegExpExecArray[] {
  return [...text.matchAll(/\S+/gu)].filter(([word]) => /[\p{L}\p{N}]/u.test(word));
}
