import type { ToolCall } from "../../language-model/answer.ts";
import { termsOf } from "../../words/terms-of.ts";
import {
  AMOUNT,
  TIME,
  contentWords,
  isQuestion,
  sentences,
  shared,
  wordsOf,
} from "../../words/words-of.ts";
import type { Question } from "../instructions.ts";
import type { ConversationScripts } from "../scripts/conversation-scripts.ts";
import type { Talk } from "../talk.ts";
import type { Heard, HeardKind } from "./hear.ts";

/** Which open questions the visitor's turn answers, as calls that say so in the visitor's own words. */
export function noteAnswers(talk: Talk, heard: Heard, scripts: ConversationScripts): ToolCall[] {
  if (!talk.tools.includes("note_answer") || ANSWERING_NOTHING.has(heard.kind)) return [];
  const last = questionAskedLast(talk, scripts);
  return talk.questions
    .filter(({ key }) => !talk.answered.includes(key))
    .flatMap((question) => {
      const quote =
        question.key === last?.key
          ? answerTo(question, heard.statements)
          : heard.statements.find((statement) => answersEarly(question, statement, scripts));
      if (quote === undefined) return [];
      return [{ name: "note_answer", arguments: { question: question.key, quote } }];
    });
}

const ANSWERING_NOTHING = new Set<HeardKind>([
  "nothing",
  "lost",
  "trick",
  "hostile",
  "human",
  "person",
  "farewell",
  "off_topic",
  "hello",
  "how_are_you",
  "thanks",
  "unsure",
]);

/** The question that the agent's last turn asked, in whatever words. */
export function questionAskedLast(talk: Talk, scripts: ConversationScripts): Question | undefined {
  const asked = sentences(talk.agentSaid.at(-1) ?? "").filter(isQuestion);
  return talk.questions.find(({ text }) => {
    const wording = scripts.wordingOf(text);
    const ways = [text, ...(wording === undefined ? [] : Object.values(wording.ask).flat())];
    return asked.some((sentence) => ways.some((way) => isSame(sentence, way)));
  });
}

function isSame(sentence: string, way: string): boolean {
  if (sentence.includes(way)) return true;
  const words = contentWords(wordsOf(way));
  return words.size > 0 && shared(words, contentWords(wordsOf(sentence))) / words.size >= 0.7;
}

/** What follows a question and is none itself is its answer; of several sentences, the one that fits best. */
function answerTo(question: Question, statements: string[]): string | undefined {
  const wanted = wantedBy(question.text);
  return statements.find((statement) => wanted?.test(statement)) ?? statements[0];
}

function answersEarly(question: Question, said: string, scripts: ConversationScripts): boolean {
  const wanted = wantedBy(question.text);
  if (scripts.isAnsweredBy(question.text, said)) return wanted === undefined || wanted.test(said);
  if (wanted === TIME) return false;
  const terms = termsOf(question.text);
  const common = shared(terms, termsOf(said));
  if (wanted === AMOUNT) return common >= 2 && AMOUNT.test(said);
  return common >= 3 && common / terms.size >= 0.6;
}

function wantedBy(question: string): RegExp | undefined {
  if (/\b(?:how many|how much|wie ?viele?|combien|cuánt[oa]s?)(?!\p{L})/iu.test(question))
    return AMOUNT;
  if (/\b(?:when|how soon|wann|quand|cuándo)(?!\p{L})/iu.test(question)) return TIME;
  return undefined;
}
