import type { QualificationStatus } from "@svc/contract/types";

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
