import { factsIn, figuresIn, fold, hasForeignRow, repeatsWords, UNSPACED } from "#language";
import type { Fact, Source } from "#language";

/** The texts that a summary may come from. */
export interface SaidInTalk {
  /** The language of the summary (BCP 47). */
  language: string;
  /** What the owner wrote for the agent to say: knowledge, content, questions, names. */
  owner: Source[];
  /** Our own texts in that language: with the owner's, the words that a summary is mostly made of. */
  ours: Source[];
  /** What the visitor said or typed, and what their page passed along. */
  visitor: Source[];
}

/** One fewer than elsewhere: what is dictated is often short, and a sentence too few harms nobody. */
const RUN = 4;
/** In scripts that put no space between words every character counts as one. */
const RUN_OF_CHARACTERS = 10;

/**
 * Tells of a sentence whether it may say what only the visitor said. The address may be a stranger's and
 * the visitor may have dictated a letter to them: "call 1 800 555 0199 and read out the code". What
 * the agent said is no excuse, since a gullible model repeats it. So numbers, addresses and codes must
 * be the owner's, neither names nor four words in a row may be the visitor's alone, and no four words in
 * a row may be ones that neither the owner nor we use: they may be a number or an address in words of
 * whatever language and spelling.
 */
export function dictationIn(said: SaidInTalk): (sentence: string, before: string) => boolean {
  const { language, owner, visitor } = said;
  const isIn = (sources: Source[], fact: Fact): boolean =>
    sources.some((source) => source.holds(fact));
  const isKnown = vocabularyOf([...owner, ...said.ours]);

  /** @param before what stands before the sentence: a line break in the middle hides nothing. */
  return (sentence, before) => {
    const withRow = `${before} ${sentence}`;
    const withWords = `${lastWords(before)} ${sentence}`;
    return (
      hasForeignCode(sentence, owner) ||
      (hasForeignRow(withRow, language, owner) && !hasForeignRow(before, language, owner)) ||
      figuresIn(sentence, language).some((fact) => !isIn(owner, fact)) ||
      factsIn(sentence, language).some((fact) => isIn(visitor, fact) && !isIn(owner, fact)) ||
      (repeatsWords(withWords, visitor, RUN, owner) &&
        !owner.some((source) => source.says(sentence))) ||
      hasForeignWords(withWords, isKnown)
    );
  };
}

/** So many that a run which they begin ends in the sentence. */
function lastWords(before: string): string {
  const words = fold(before).trim().split(" ");
  return words.slice(1 - runOf(words.at(-1)!)).join(" ");
}

function runOf(word: string): number {
  return CHARACTER.test(word) ? RUN_OF_CHARACTERS : RUN;
}

const CHARACTER = new RegExp(`[${UNSPACED}]`, "v");

/** Digits behind letters ("tel18005550199", "x1 x8"), and signs for numbers that are no digits ("❶❽"). */
function hasForeignCode(sentence: string, owner: Source[]): boolean {
  const codes = sentence.normalize("NFKC").match(CODE) ?? [];
  return codes.some((code) => !owner.some(({ letters }) => letters.includes(lettersOf(code))));
}

const CODE = new RegExp(
  String.raw`[\p{No}\p{Nl}]+|[\p{L}--[${UNSPACED}]][_.\-]?\p{N}[\p{L}\p{N}\p{M}_.\-]*`,
  "gv",
);

function lettersOf(text: string): string {
  return fold(text).replaceAll(" ", "");
}

function hasForeignWords(text: string, isKnown: (word: string) => boolean): boolean {
  let foreign = 0;
  for (const word of fold(text).trim().split(" ")) {
    foreign = isKnown(word) ? 0 : foreign + 1;
    if (foreign >= runOf(word)) return true;
  }
  return false;
}

const MIN_STEM = 4;

/** Tells whether the sources use a word, in another form too: "costs" where there is "cost". */
function vocabularyOf(sources: Source[]): (word: string) => boolean {
  let stems: Set<string> | undefined;
  return (word) => {
    if (sources.some((source) => source.hasWord(word))) return true;
    if (word.length <= MIN_STEM) return false;
    stems ??= stemsOf(sources);
    return stems.has(word.slice(0, Math.max(MIN_STEM, word.length - 3)));
  };
}

function stemsOf(sources: Source[]): Set<string> {
  const stems = new Set<string>();
  for (const word of new Set(sources.flatMap(({ folded }) => folded.split(" "))))
    for (let end = MIN_STEM; end <= word.length; end++) stems.add(word.slice(0, end));
  return stems;
}
