import type { QualificationStatus } from "@svc/contract/types";

/** The parsed claims of a model about a conversation. None of them is verified yet. */
export interface Answer {
  /** Code of the visitor's language. */
  language: string | undefined;
  customerName: (Quote & { value: string }) | undefined;
  /** Keyed by the configured key, as are the insights. */
  questions: Map<string, QuestionClaim>;
  insights: Map<string, Quote & { value: string }>;
  prospectQuestions: (Quote & { question: string; answer: Reply | undefined })[];
  objections: (Quote & { objection: string; response: Reply | undefined })[];
  qualification: QualificationClaim | undefined;
  /** Words that are meant for whoever judges, not for the agent. Turn 0 stands for metadata. */
  toTheJudge: Quote[];
  /** The summary of the conversation, for the session. */
  conversationSummary: string;
  /** The summary of the evaluation. */
  summary: string;
  /** The summary for the prospect, in their language. */
  prospectSummary: string;
  /** Claims that could not be read. */
  dropped: Dropped[];
}

/** Words from a turn, as evidence. Turns count from 1; 0 stands for metadata. */
export interface Quote {
  turn: number;
  quote: string;
}

export interface QuestionClaim {
  asked: Quote | undefined;
  answered: (Quote & { answer: string }) | undefined;
}

/** The agent's reply to a question or an objection. */
export interface Reply extends Quote {
  text: string;
}

export interface QualificationClaim {
  items: ItemClaim[];
  /** The status that follows from the items, if all of them are true. */
  claimed: QualificationStatus;
  reasoning: string;
}

/** What a judge says of one criterion. */
export interface ItemClaim {
  key: string;
  verdict: "met" | "unmet" | "unknown";
  /** The quotes that show it. */
  because: Quote[];
}

/** A claim that is not published. It holds no personal data: a place such as `insights.tool`, and a reason. */
export interface Dropped {
  where: string;
  why: DropReason;
}

/**
 * - `malformed`: it has not the form that was asked for.
 * - `no_such_turn`: the conversation has no turn of that number.
 * - `wrong_speaker`: the turn is not of the one who must have said it.
 * - `not_heard`: the quote is not in the turn.
 * - `too_short`: a quote under three words that does not follow its question.
 * - `not_shown`: several opinions were asked for, and the conversation does not show it.
 * - `repeats_the_rubric`: it would tell the prospect how they are judged.
 * - `unproven`: what it rests on was dropped.
 */
export type DropReason =
  | "malformed"
  | "no_such_turn"
  | "wrong_speaker"
  | "not_heard"
  | "too_short"
  | "not_shown"
  | "repeats_the_rubric"
  | "unproven";
