import { AMOUNT, isQuestion, sentences, wordsOf } from "../../words/words-of.ts";
import type { HeardPatterns } from "../scripts/conversation-scripts.ts";
import type { Talk } from "../talk.ts";

/** What the visitor's turn is, in the eyes of a host. */
export interface Heard {
  kind: HeardKind;
  /** What is asked, one thing each. */
  asks: string[];
  /** The sentences that ask nothing. */
  statements: string[];
}

export type HeardKind =
  | "nothing"
  | "lost"
  | "thinking"
  | "trick"
  | "model"
  | "human"
  | "hostile"
  | "person"
  | "email"
  | "farewell"
  | "off_topic"
  | "question"
  | "how_are_you"
  | (typeof SHORT_KINDS)[number]
  | "browsing"
  | "statement";

/** Turns that are nothing else: "thanks, but what about …" is no thanks. */
const SHORT_KINDS = ["unsure", "no", "thanks", "hello", "yes"] as const;
const MAX_OTHER_WORDS = 3;

export function hear(
  { visitorSaid, askedLast }: Pick<Talk, "visitorSaid" | "askedLast">,
  patterns: HeardPatterns,
): Heard {
  if (visitorSaid === undefined) return { kind: "nothing", asks: [], statements: [] };
  const parts = sentences(visitorSaid);
  const isAsking = (sentence: string): boolean =>
    isQuestion(sentence) || isAskedPlainly(sentence, askedLast !== undefined, patterns);
  const asks = parts.filter(isAsking).flatMap((sentence) => sentence.split(AND_ANOTHER));
  const statements = parts.filter((part) => !isAsking(part));
  return { kind: kindOf(visitorSaid, asks, patterns), asks, statements };
}

/** One sentence may ask two things: "What is it, and how do I install it?" */
const AND_ANOTHER =
  /,?\s+(?:and|und|et|y)\s+(?=(?:how|what|when|where|who|which|why|can|does|do you|is it|is there|wie|was|wann|wo|wer|warum|kann|gibt es|comment|quand|où|qui|pourquoi|combien|est-ce|cómo|qué|cuándo|dónde|quién|cuánto|se puede)\s)/iu;

/** A question without its mark. What follows a question of the agent's may well hold such words and answer it. */
function isAskedPlainly(sentence: string, isAnswer: boolean, patterns: HeardPatterns): boolean {
  const at = patterns.asks.exec(sentence)?.index ?? -1;
  if (isAnswer) return at >= 0 && wordsOf(sentence.slice(0, at)).length <= 2;
  return at >= 0 || (OPENS_A_QUESTION.test(sentence) && !/[.!]$/.test(sentence));
}

const OPENS_A_QUESTION =
  /^(?:(?:and|so|but|ok|okay|und|aber|et|mais|y|pero)[\s,]+)?(?:what|how|why|where|who|which|does|can|could|wie|was|warum|wieso|wo|wer|welche\p{L}*|kann|comment|pourquoi|où|qui|quel\p{L}*|combien|cómo|qué|por qué|dónde|quién|cuál\p{L}*|cuánt\p{L}*)\s/iu;

function kindOf(said: string, asks: string[], patterns: HeardPatterns): HeardKind {
  if (wordsOf(said).length === 0) return "lost";
  if (/^\P{L}*(?:h+m+|m+h*m*|u+h+m*|u+m+|e+r+m*|[äöe]+h+m*|eu+h+)\P{L}*$/iu.test(said))
    return "thinking";
  if (patterns.trick.test(said)) return "trick";
  if (asks.length > 0 && patterns.model.test(said)) return "model";
  if (patterns.human.test(said)) return "human";
  if (patterns.hostile.test(said) && !ABOUT_OTHERS.test(said)) return "hostile";
  if (patterns.person.test(said)) return "person";
  if (addressIn(said) !== undefined) return "email";
  if (patterns.email.test(said)) return patterns.unsure.test(said) ? "no" : "email";
  if (asks.length > 0 && patterns.off_topic.test(said)) return "off_topic";
  if (isFarewell(said, asks.length > 0, patterns)) return "farewell";
  if (isLittleElse(said, patterns.how_are_you, MAX_OTHER_WORDS)) return "how_are_you";
  // "Okay, and the price?" is a question, "Okay?" is not.
  const maxOthers = asks.length === 0 ? MAX_OTHER_WORDS : 0;
  const short = SHORT_KINDS.find((kind) => isLittleElse(said, patterns[kind], maxOthers));
  // A visitor who says "no idea, 500 perhaps" has given a number.
  if (short !== undefined && !AMOUNT.test(said)) return short;
  if (asks.length > 0) return "question";
  return patterns.browsing.test(said) ? "browsing" : "statement";
}

/** "Our current tool is useless" insults nobody here. */
const ABOUT_OTHERS =
  /(?<!\p{L})(?:our|current|competitors?|unser\p{L}*|bisherig\p{L}*|notre|nos|actuel\p{L}*|nuestr\p{L}*|actual)(?!\p{L})/iu;

/** "I have to go" is a goodbye, "I have to go through procurement first" is none. Beside questions it stands at the end. */
function isFarewell(
  said: string,
  isAsking: boolean,
  { farewell, thanks, hello }: HeardPatterns,
): boolean {
  const parts = sentences(said);
  if (parts.some(isQuestion)) return false;
  return (isAsking ? parts.slice(-1) : parts).some((sentence) => {
    const found = farewell.exec(sentence);
    if (found === null) return false;
    const rest = sentence.slice(found.index + found[0].length);
    const others = [farewell, thanks, hello].reduce((text, one) => text.replace(one, " "), rest);
    return wordsOf(others).every((word) => AFTER_A_FAREWELL.has(word));
  });
}

const AFTER_A_FAREWELL = new Set(
  `and for now today then you all a lot so much have nice good day evening later soon
  und für heute jetzt dann noch einen schönen tag
  et pour maintenant aujourd'hui à une bonne journée
  y por hoy ahora que tenga buen día`.split(/\s+/),
);

function isLittleElse(said: string, phrases: RegExp, maxOthers: number): boolean {
  return phrases.test(said) && wordsOf(said.replace(phrases, " ")).length <= maxOthers;
}

/** An email address that somebody wrote. */
export function addressIn(text: string): string | undefined {
  return /(?<![\w.+-])[\w.+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}/u.exec(text)?.[0];
}
