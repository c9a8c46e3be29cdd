import { calendarOf } from "./calendar.ts";
import { foldWord, SPACED } from "./folding.ts";
import { knownWordsOf } from "./known-words.ts";

/** A word that names somebody or something. */
export interface FoundName {
  /** Folded. */
  name: string;
  /** A plain word would be written in the same way here. */
  mayBePlain: boolean;
}

/**
 * Returns the names in a text. A capital tells, except in German and its kin, where every noun has
 * one: there a name is a pair of such words, one behind a title, or one with an odd mix of capitals.
 * In scripts without capitals it is what stands there in Latin letters.
 */
export function namesIn(text: string, language: string): FoundName[] {
  if (scriptOf(language) !== "Latn") {
    // In one pattern, a long row of digits would be read again from each of them.
    const runs = text.match(/[\p{sc=Latin}\p{M}\p{N}]+/gu) ?? [];
    return runs
      .filter((run) => /\p{sc=Latin}./su.test(run))
      .map((run) => ({ name: foldWord(run), mayBePlain: false }));
  }
  const listed = knownWordsOf(language);
  const words = capitalizedIn(text).map((word) => ({
    ...word,
    isPlain:
      word.name.length < 2 ||
      listed?.has(word.name) === true ||
      calendarOf(language).has(word.name),
  }));
  const isGerman = hasNounCapitals(language);
  const ending = PLAIN_ENDINGS.get(language);
  return words.flatMap((word, index) => {
    const { name, isOpening, isOdd, isPlain } = word;
    if (isPlain) return [];
    if (isOdd || (isGerman && isTitled(words, index))) return [{ name, mayBePlain: false }];
    if (isGerman) return isPaired(words, index) ? [{ name, mayBePlain: true }] : [];
    if (isOpening && (listed === undefined || ending?.test(name) === true)) return [];
    return [{ name, mayBePlain: isOpening }];
  });
}

/** Whether every noun has a capital, so that a capital does not make a name. */
export function hasNounCapitals(language: string): boolean {
  return NOUN_CAPITALS.has(language.split("-")[0]!);
}

const NOUN_CAPITALS = new Set(["de", "gsw", "nds", "lb"]);

/** Endings of words that begin a sentence or a value and are hardly ever names. */
const PLAIN_ENDINGS = new Map([
  ["en", /(?:.{4}ing|.{4}ally|.{5}ments?|tions?|ility)$/u],
  ["fr", /(?:.{4}ité|.{4}trice|.{4}teur|.{4}euse|.{5}ments?|tions?)$/u],
  ["es", /(?:.{4}mente|.{4}miento|ción|ciones|.{3}ó|.{3}aron|.{3}ieron)$/u],
]);

interface CapitalizedWord {
  /** Folded. */
  name: string;
  /** It begins a sentence, where every word has a capital. */
  isOpening: boolean;
  /** Capitals alone or inside, or digits behind letters. */
  isOdd: boolean;
  /** The text between this word and the one before; undefined if another word stands between them. */
  gap: string | undefined;
}

/** Words that begin with a capital or have one, and words with digits. */
function capitalizedIn(text: string): CapitalizedWord[] {
  let end = 0;
  return [...text.matchAll(CAPITALIZED)].map(({ 0: word, index }) => {
    const [gap = ""] = GAP.exec(text.slice(end, index)) ?? [];
    const isNext = end > 0 && gap.length === index - end;
    const isOpening = gap.length === index || OPENS.test(gap);
    end = index + word.length;
    return {
      name: foldWord(word),
      isOpening,
      isOdd: ODD.test(word),
      gap: isNext ? gap : undefined,
    };
  });
}

const CAPITALIZED = new RegExp(
  String.raw`(?<!${SPACED})(?=\p{L})[${SPACED}--\p{N}]*[${SPACED}&&[\p{Lu}\p{Lt}\p{N}]]${SPACED}*`,
  "gv",
);
const ODD = /\p{N}|\p{Ll}\p{Lu}|^\p{Lu}{2}/u;
/** From where the signs begin: from each of them, a long row would be read again and again. */
const GAP = new RegExp(String.raw`(?<![^${SPACED}])[^${SPACED}]*$`, "v");

/** A sentence, an item of a list or a quotation begins behind it. */
const OPENS = /[.!?:;…•\n"“„«»¿¡(*–—]/u;

const scripts = new Map<string, string | undefined>();

function scriptOf(language: string): string | undefined {
  if (!scripts.has(language)) scripts.set(language, new Intl.Locale(language).maximize().script);
  return scripts.get(language);
}

type Words = (CapitalizedWord & { isPlain: boolean })[];

function isTitled(words: Words, index: number): boolean {
  return words[index]?.gap !== undefined && TITLES.has(words[index - 1]?.name ?? "");
}

const TITLES = new Set(["herr", "herrn", "frau", "dr", "prof", "familie", "firma"]);

/** With nothing but a space between it and the next. */
function isPaired(words: Words, index: number): boolean {
  const [before, word, after] = [words[index - 1], words[index], words[index + 1]];
  if (word?.gap === " " && before?.isPlain === false) return true;
  // "Geplante Einführung": an adjective has its capital only from the sentence.
  const isAdjective = word?.isOpening === true && /e[mnrs]?$/u.test(word.name);
  return after?.gap === " " && !after.isPlain && !isAdjective;
}
