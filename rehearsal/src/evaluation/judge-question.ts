import { contentWords, shared } from "../words/content-words.ts";
import { phrasePattern } from "../words/phrase-pattern.ts";
import { wordsOf } from "../words/words-of.ts";
import type { QuestionAnswer } from "./answer.ts";
import { introduction } from "./find-name.ts";
import { quote } from "./heard-turn.ts";
import type { HeardSentence, HeardTurn } from "./heard-turn.ts";

/** How much of a configured question must be in a sentence of the agent's for it to be that question. */
const MOST = 0.6;

const noAnswer = phrasePattern(
  ["don't know", "no idea", "rather not", "not sure"],
  ["weiß nicht", "weiß ich nicht", "keine Ahnung"],
  ["sais pas", "aucune idée"],
  ["no sé", "no lo sé", "ni idea"],
);

/**
 * Asked: a sentence of the agent's with most of its content words. Answered: what the visitor says to that.
 *
 * @param wordings the configured text, and how it may be asked in other words or languages.
 */
export function judgeQuestion(wordings: readonly string[], turns: HeardTurn[]): QuestionAnswer {
  const wanted = wordings.map((text) => contentWords(wordsOf(text))).filter(({ size }) => size > 0);
  for (const [index, turn] of turns.entries()) {
    if (turn.role !== "assistant") continue;
    const asked = turn.sentences.find(({ content }) =>
      wanted.some((words) => shared(words, content) >= words.size * MOST),
    );
    if (asked === undefined) continue;
    return { asked: quote(turn, asked), answered: answerIn(nextUserTurn(turns, index)) };
  }
  return { asked: null, answered: null };
}

function nextUserTurn(turns: HeardTurn[], after: number): HeardTurn | undefined {
  return turns.slice(after + 1).find((turn) => turn.role === "user");
}

function answerIn(turn: HeardTurn | undefined): QuestionAnswer["answered"] {
  const said = turn?.sentences.filter(isAnswer) ?? [];
  const best = said.find((sentence) => sentence.words.length >= 3) ?? said[0];
  if (turn === undefined || best === undefined) return null;
  return { ...quote(turn, best), answer: withoutStop(best) };
}

function isAnswer({ isQuestion, text }: HeardSentence): boolean {
  return !isQuestion && !noAnswer.test(text) && !introduction.test(text);
}

function withoutStop({ text }: HeardSentence): string {
  return text.replace(/[.!]$/, "");
}
