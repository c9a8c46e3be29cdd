import { normalizeEmail } from "#sessions";

/**
 * The email address in what a visitor said, as it is written or as it is spoken: "ada at example dot
 * com", also letter by letter. The last one, where they corrected themselves. Only good enough to be
 * shown to them: recognisers mishear.
 */
export function saidAddress(text: string): string | undefined {
  const words = wordsOf(text);
  for (let at = words.length - 2; at > 0; at -= 1) {
    if (words[at] !== "@") continue;
    const address = normalizeEmail(`${nameBefore(words, at)}@${domainAfter(words, at)}`);
    if (address !== undefined) return address;
  }
  return undefined;
}

/** In English, German, French and Spanish. */
const SIGNS = new Map<string, string>([
  ...["at", "ät", "klammeraffe", "arobase", "arrobase", "arroba"].map(
    (word) => [word, "@"] as const,
  ),
  ...["dot", "punkt", "point", "punto"].map((word) => [word, "."] as const),
  ...["dash", "hyphen", "minus", "bindestrich", "tiret", "guion", "guión"].map(
    (word) => [word, "-"] as const,
  ),
  ...["underscore", "unterstrich", "souligné", "subrayado"].map((word) => [word, "_"] as const),
  ["plus", "+"],
]);

/** Recognisers write many a company's name in two or three words. */
const MAX_WORDS_OF_A_NAME = 3;

/** Words and signs, each for itself: what was spelled letter by letter is one word. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let isSpelling = false;
  // Behind a word a full stop ends a sentence.
  for (const part of text.toLowerCase().split(/[\s,;:!?"“”„«»()<>]+|\.(?=\s|$)/u)) {
    for (const piece of part.split(/([@._+-])/u)) {
      const word = SIGNS.get(piece) ?? piece;
      if (word === "") continue;
      const isLetter = /^[\p{L}\p{N}]$/u.test(word);
      if (isLetter && isSpelling) words.push(words.pop() + word);
      else words.push(word);
      isSpelling = isLetter;
    }
  }
  return words;
}

function nameBefore(words: string[], at: number): string {
  let from = at - 1;
  for (;;) {
    if (from > 1 && isSign(words[from - 1]!)) from -= 2;
    else if (from > 0 && /^\p{N}+$/u.test(words[from]!)) from -= 1;
    else return words.slice(from, at).join("");
  }
}

function domainAfter(words: string[], at: number): string {
  const dot = words.indexOf(".", at);
  if (dot === -1 || dot - at - 1 > MAX_WORDS_OF_A_NAME) return "";
  let to = dot + 2;
  while (words[to] === ".") to += 2;
  return words.slice(at + 1, to).join("");
}

function isSign(word: string): boolean {
  return /^[._+-]$/u.test(word);
}
