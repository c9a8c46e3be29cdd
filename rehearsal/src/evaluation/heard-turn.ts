import { contentWords, isQuestion, sentences, wordsOf } from "../words/words-of.ts";
import type { Quote, Reply } from "./answer.ts";
import type { Turn } from "./document.ts";

/** A turn, cut into sentences once for all rules. */
export interface HeardTurn {
  turn: number;
  role: Turn["role"];
  sentences: HeardSentence[];
}

export interface HeardSentence {
  text: string;
  isQuestion: boolean;
  words: string[];
  /** What it is about. */
  content: Set<string>;
}

export function hear(transcript: Turn[]): HeardTurn[] {
  return transcript.map(({ turn, role, heard }) => ({
    turn,
    role,
    sentences: sentences(heard).map(heardSentence),
  }));
}

function heardSentence(text: string): HeardSentence {
  const words = wordsOf(text);
  return { text, isQuestion: isQuestion(text), words, content: contentWords(words) };
}

export function quote(turn: HeardTurn, sentence: HeardSentence): Quote {
  return { turn: turn.turn, quote: sentence.text };
}

/** What the agent said right after a turn: the first statement of it. */
export function replyTo(turn: HeardTurn, turns: HeardTurn[]): Reply | null {
  const next = turns[turns.indexOf(turn) + 1];
  if (next?.role !== "assistant") return null;
  const said = next.sentences.find((sentence) => !sentence.isQuestion);
  return said === undefined ? null : { ...quote(next, said), text: said.text };
}
