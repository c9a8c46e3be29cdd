import { fold } from "#language";
import { contentWords, sharedCount } from "./content-words.ts";

/** Whether a sentence asks for something, by its sign. */
export function hasQuestionMark(text: string): boolean {
  return /[?？؟\u037E]/u.test(text);
}

/**
 * How surely two questions are one in other words, from 0 to 1; 0 when they are not. They share most
 * of what they are about and ask for the same: a time, a number, a person.
 */
export function sameQuestion(one: string, other: string): number {
  if (fold(one) === fold(other)) return 1;
  const [words, others] = [contentWords(one), contentWords(other)];
  const shared = sharedCount(words, others);
  const ofSmaller = shared / Math.max(1, Math.min(words.size, others.size));
  const ofLarger = shared / Math.max(1, words.size, others.size);
  const sameKind = asking(one).what === asking(other).what;
  if (shared >= 3 && ofLarger >= ENOUGH) return ofLarger;
  if (sameKind && ofSmaller >= ENOUGH && (shared >= 2 || ofLarger >= ENOUGH)) return ofSmaller;
  return 0;
}

/**
 * Whether a question opens by asking for a number, a time, a place or a person, and another asks for
 * the same. Then they are one more often than not, also in two languages; nobody asks "when?" or "how
 * many?" out of courtesy.
 */
export function asksForSame(sentence: string, question: string): boolean {
  const { what, at } = asking(sentence);
  return at < OPENING_CHARACTERS && PRECISE.has(what) && asking(question).what === what;
}

/** Whether most of what a question is about stands in a text. */
export function isAbout(question: string, text: string): boolean {
  const words = contentWords(question);
  const shared = sharedCount(words, contentWords(text));
  return shared >= 2 && shared / words.size >= ENOUGH;
}

const ENOUGH = 0.6;
/** "And by when", "Ungefähr wie viele", but not "Shall I show you how many". */
const OPENING_CHARACTERS = 16;

type AskedFor = "count" | "time" | "place" | "person" | "reason" | "thing" | "way" | "yes_or_no";
const PRECISE = new Set<AskedFor>(["count", "time", "place", "person"]);

/** What is asked for by the first word that asks, in any of the four languages, and where that stands. */
function asking(question: string): { what: AskedFor; at: number } {
  const folded = fold(question);
  let first: { at: number; what: AskedFor } = { at: Infinity, what: "yes_or_no" };
  for (const [what, pattern] of ASKING) {
    const at = pattern.exec(folded)?.index ?? Infinity;
    if (at < first.at) first = { at, what };
  }
  return first;
}

/** What stands further up wins at the same place: "how many" asks for a count, not for a way. */
const ASKING: [AskedFor, RegExp][] = [
  [
    "count",
    / (?:how (?:many|much|large|big|often)|wie ?(?:viele?|oft|groß|gross)|combien|cuánt[oa]s?) /u,
  ],
  ["time", / (?:when|how soon|wann|wie bald|quand|cuándo) /u],
  ["place", / (?:where|wo|wohin|woher|où|dónde) /u],
  ["person", / (?:who|whom|wer|wen|wem|qui|quién|quiénes) /u],
  ["reason", / (?:why|warum|wieso|weshalb|pourquoi|por qué) /u],
  ["way", / (?:how|wie|comment|cómo) /u],
  ["thing", / (?:what|which|was|welche[mnrs]?|quel|quelles?|quels|quoi|que|qu|qué|cuál|cuáles) /u],
];
