import { AMOUNT, isQuestion, sentences, wordsOf } from "../../words/words-of.ts";
import type { HeardPatterns } from "../scripts/conversation-scripts.ts";
import type { Talk } from "../talk.ts";

/** What the visitor's turn is, in the eyes of a host. */
export interface Heard {
  kind: HeardKind;
  /** The sentences that ask for something; empty when none does. */
  asks: string;
  /** The sentences that do not. */
  statements: string[];
}

export type HeardKind =
  | "nothing"
  | "lost"
  | "trick"
  | "human"
  | "hostile"
  | "person"
  | "email"
  | "farewell"
  | "off_topic"
  | "question"
  | "how_are_you"
  | (typeof SHORT_KINDS)[number]
  | "statement";

/** Turns that are nothing else: "thanks, but what about …" is no thanks. */
const SHORT_KINDS = ["unsure", "no", "thanks", "hello", "yes"] as const;
const MAX_OTHER_WORDS = 3;

export function hear({ visitorSaid, visitor }: Talk, patterns: HeardPatterns): Heard {
  if (visitorSaid === undefined) return { kind: "nothing", asks: "", statements: [] };
  const parts = sentences(visitorSaid);
  const isAsking = (sentence: string): boolean =>
    isQuestion(sentence) || patterns.asks.test(sentence);
  const asking = parts.filter(isAsking);
  const asks = asking.length === 0 && visitor === "question" ? visitorSaid : asking.join(" ");
  const statements = asks === visitorSaid ? [] : parts.filter((part) => !isAsking(part));
  return { kind: kindOf(visitorSaid, visitor, asks, patterns), asks, statements };
}

function kindOf(
  said: string,
  hint: Talk["visitor"],
  asks: string,
  patterns: HeardPatterns,
): HeardKind {
  if (wordsOf(said).length === 0) return "lost";
  if (patterns.trick.test(said)) return "trick";
  if (hint === "asks_if_human" || patterns.human.test(said)) return "human";
  if (hint === "hostile" || patterns.hostile.test(said)) return "hostile";
  if (patterns.person.test(said)) return "person";
  if (addressIn(said) !== undefined) return "email";
  if (patterns.email.test(said)) return patterns.unsure.test(said) ? "no" : "email";
  if (hint === "off_topic" || patterns.off_topic.test(said)) return "off_topic";
  if (asks === "" && patterns.farewell.test(said)) return "farewell";
  if (isLittleElse(said, patterns.how_are_you, MAX_OTHER_WORDS)) return "how_are_you";
  // "Okay, and the price?" is a question, "Okay?" is not.
  const maxOthers = asks === "" ? MAX_OTHER_WORDS : 0;
  const short = SHORT_KINDS.find((kind) => isLittleElse(said, patterns[kind], maxOthers));
  // A visitor who says "no idea, 500 perhaps" has given a number.
  if (short !== undefined && !AMOUNT.test(said)) return short;
  return asks === "" ? "statement" : "question";
}

function isLittleElse(said: string, phrases: RegExp, maxOthers: number): boolean {
  return phrases.test(said) && wordsOf(said.replace(phrases, " ")).length <= maxOthers;
}

/** An email address that somebody wrote. */
export function addressIn(text: string): string | undefined {
  return /[\w.+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}/u.exec(text)?.[0];
}
