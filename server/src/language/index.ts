/** Analysis of text: its words, sentences, numbers, names and dates, in any language. */
export { addressesIn, type Fact, factsIn, figuresIn } from "./facts.ts";
export { cutAtWord, fold, hasWords, UNSPACED, wordCount } from "./folding.ts";
export { calendarOf, hasSmallMonths } from "./calendar.ts";
export { type Measure, measuresOf } from "./measures.ts";
export { type FoundNumber, numbersIn, readable } from "./numbers.ts";
export { namesIn } from "./names.ts";
export { inCode, repeatsWords } from "./repeated-words.ts";
export { gapBehind, joinSentences, SentenceCutter, sentencesOf } from "./sentences.ts";
export { Source } from "./source.ts";
