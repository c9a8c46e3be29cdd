/** Analysis of text: its words, sentences, numbers, names and dates, in any language. */
export { calendarFrom } from "./calendar.ts";
export { type Fact, factsIn, figuresIn } from "./facts.ts";
export { type FigureTrouble, judgeFigures } from "./figures/judge-figures.ts";
export { OwnerFigures } from "./figures/known-figures.ts";
export { cutAtWord, fold, hasWords, spokenWordCount, UNSPACED, wordCount } from "./folding.ts";
export { hasNounCapitals, namesIn } from "./names.ts";
export { hasForeignRow } from "./number-rows.ts";
export { inCode, repeatsWords } from "./repeated-words.ts";
export { saysUnknown } from "./says-unknown.ts";
export {
  endsInQuestion,
  gapBehind,
  joinSentences,
  SentenceCutter,
  sentencesOf,
} from "./sentences.ts";
export { KeptSources, Source } from "./source.ts";
export {
  builtInWords,
  directionOf,
  fillWords,
  longDate,
  type WordedLanguage,
  wordsOf,
} from "./words-of.ts";
