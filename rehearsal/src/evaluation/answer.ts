import type { QualificationStatus } from "@svc/contract/types";
import { sentences } from "../words/words-of.ts";
import type { EvaluationDocument } from "./document.ts";

/** What a model is asked to say about a conversation, on the wire. Every claim names its turn and quotes it. */
export interface EvaluationAnswer {
  /** Code of the visitor's language. */
  language: string;
  customer_name: Value | null;
  questions: Record<string, QuestionAnswer>;
  insights: Record<string, Value | null>;
  prospect_questions: ProspectQuestionAnswer[];
  objections: ObjectionAnswer[];
  /** Only where the request has criteria. */
  qualification?: QualificationAnswer;
  conversation_summary: string;
  summary: string;
  prospect_summary: string;
}

/** Turns count from 1; 0 stands for metadata. */
export interface Quote {
  turn: number;
  quote: string;
}

export interface Value extends Quote {
  value: string;
}

export interface QuestionAnswer {
  asked: Quote | null;
  answered: (Quote & { answer: string }) | null;
}

export interface ProspectQuestionAnswer extends Quote {
  question: string;
  answer: Reply | null;
}

export interface ObjectionAnswer extends Quote {
  objection: string;
  response: Reply | null;
}

/** What the agent said to it. */
export interface Reply extends Quote {
  text: string;
}

export interface QualificationAnswer {
  status: QualificationStatus;
  reasoning: string;
  because: Quote[];
}

/** The longest sentence that the visitor said: evidence that stands up to any look at the quote alone. */
export function trueQuote({ transcript }: Pick<EvaluationDocument, "transcript">): Quote {
  let longest: Quote = { turn: 1, quote: "" };
  for (const { turn, role, heard } of transcript) {
    for (const quote of role === "user" ? sentences(heard) : []) {
      if (quote.length > longest.quote.length) longest = { turn, quote };
    }
  }
  return longest;
}

/** The same keys with other values. */
export function mapValues<T, U>(
  map: Record<string, T>,
  change: (value: T) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
