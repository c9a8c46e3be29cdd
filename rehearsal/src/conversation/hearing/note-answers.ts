import { termsOf } from "../../words/terms-of.ts";
import { AMOUNT, TIME, shared, wordsOf } from "../../words/words-of.ts";
import type { Question } from "../instructions.ts";
import type { ConversationScripts } from "../scripts/conversation-scripts.ts";
import type { Talk } from "../talk.ts";
import type { Heard, HeardKind } from "./hear.ts";

/** An answer to a question, in the visitor's own words. */
export interface Note {
  question: Question;
  quote: string;
  /** It was answered before, and otherwise. */
  isCorrection: boolean;
}

/** Which questions the visitor's turn answers, asked or not. */
export function noteAnswers(talk: Talk, heard: Heard, scripts: ConversationScripts): Note[] {
  if (ANSWERING_NOTHING.has(heard.kind)) return [];
  const isCorrected = scripts.hears.correction.test(talk.visitorSaid ?? "");
  const isEarly = (question: Question, words: string): boolean =>
    answersEarly(question, words, scripts);
  return talk.questions.flatMap((question) => {
    const isCorrection = Object.hasOwn(talk.state.answered, question.key);
    if (isCorrection && !isCorrected) return [];
    const others = talk.questions.filter((one) => one !== question);
    const isOthers = (words: string): boolean => others.some((one) => isEarly(one, words));
    const isAsked = question.key === talk.askedLast && !isCorrection;
    const isWaiting = talk.state.asked.includes(question.key);
    const found =
      heard.statements.find((words) => isEarly(question, words)) ??
      (isAsked ? answerTo(question, heard, isOthers) : undefined) ??
      (isWaiting || isCorrection ? bareAnswerTo(question, heard) : undefined);
    const quote = found && clauseIn(found, (words) => isEarly(question, words));
    return quote === undefined ? [] : [{ question, quote: bare(quote), isCorrection }];
  });
}

const ANSWERING_NOTHING = new Set<HeardKind>([
  "nothing",
  "lost",
  "thinking",
  "trick",
  "hostile",
  "unsure",
]);

/** Turns that answer a question only where they name what it asks for. */
const SELDOM_ANSWERING = new Set<HeardKind>([
  "human",
  "model",
  "person",
  "farewell",
  "off_topic",
  "browsing",
  "hello",
  "how_are_you",
  "thanks",
  "email",
]);

/** What follows a question and is none itself is its answer; of several sentences, the one that fits best. */
function answerTo(
  { text }: Question,
  { kind, statements }: Heard,
  isOthers: (words: string) => boolean,
): string | undefined {
  const wanted = wantedBy(text);
  if (wanted !== undefined)
    return statements.find((words) => wanted.test(words) && !isOthers(words));
  const isBare = (kind === "yes" || kind === "no") && isOpenQuestion(text);
  if (isBare || SELDOM_ANSWERING.has(kind)) return undefined;
  return statements.find((words) => !isRemark(words) && !isOthers(words));
}

/** A bare time or number that comes a turn or two after its question, or in place of another. */
function bareAnswerTo({ text }: Question, { statements }: Heard): string | undefined {
  const wanted = wantedBy(text);
  return statements.find((words) => wordsOf(words).length <= 6 && wanted?.test(words));
}

/** "That looks useful" answers nothing, and needs no answer either. */
export function isRemark(words: string): boolean {
  return wordsOf(words).length <= 4 && REMARK.test(words);
}

const REMARK =
  /^(?:that|this|it|looks|sounds|nice|interesting|i see|understood|das|es|klingt|sieht|verstehe|interessant|cela|ça|je comprends|c['’]est|intéressant|je vois|eso|esto|parece|suena|interesante|ya veo|entiendo|comprendo|me parece)(?!\p{L})/iu;

function isOpenQuestion(text: string): boolean {
  return /^\P{L}*(?:about |roughly )?(?:what|how|when|which|where|who|why|was|wie|wann|welche\p{L}*|wo|wer|que|quand|comment|combien|quel\p{L}*|qué|cuándo|cómo|cuánt\p{L}*|cuál\p{L}*)(?!\p{L})/iu.test(
    text,
  );
}

function answersEarly(question: Question, said: string, scripts: ConversationScripts): boolean {
  const wanted = wantedBy(question.text);
  if (scripts.isAnsweredBy(question.text, said)) return wanted === undefined || wanted.test(said);
  const terms = termsOf(question.text);
  const common = shared(terms, termsOf(said));
  if (wanted !== undefined) return common >= 2 && wanted.test(said);
  return common >= 3 && common / terms.size >= 0.6;
}

function wantedBy(question: string): RegExp | undefined {
  if (/\b(?:how many|how much|wie ?viele?|combien|cuánt[oa]s?)(?!\p{L})/iu.test(question))
    return AMOUNT;
  if (/\b(?:when|how soon|wann|quand|cuándo)(?!\p{L})/iu.test(question)) return TIME;
  return undefined;
}

/** The part of a sentence that answers by itself, else all of it. */
function clauseIn(sentence: string, answers: (words: string) => boolean): string {
  return sentence.split(/[,;:]\s+|\s+[–—]\s+|\n/u).find(answers) ?? sentence;
}

/** The words without the punctuation around them, and without the small word that joins clauses. */
function bare(words: string): string {
  const inner = words.replace(/^(?:and|und|et|y|but|aber|mais|pero)\s+/iu, "");
  return inner.replace(/^[\s\p{P}]+/u, "").replace(/[\s.,;:!]+$/u, "") || words;
}
