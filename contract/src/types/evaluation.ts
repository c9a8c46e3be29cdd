/** What the conversation showed, each claim backed by what was said in it. */
export interface Evaluation {
  /** Language code of the conversation. */
  language?: string;
  /** The prospect's name. */
  customer_name?: string;
  /** Whether the prospect fits, and why. */
  qualification?: Qualification;
  /** One entry per question configured on the agent, under its configured key. */
  questions?: Record<string, QuestionOutcome>;
  /** One entry per insight that was found, under the key configured on the agent. */
  insights?: Record<string, Insight>;
  /** What the prospect asked, in order. */
  prospect_questions?: ProspectQuestion[];
  /** What the prospect objected to, in order. */
  objections?: Objection[];
  /** A message addressed to the prospect. */
  prospect_summary?: string;
  /** Summary of the evaluation. */
  summary?: string;
}

/** Whether the prospect fits what the agent's owner looks for. */
export interface Qualification {
  /** `not_enough_data` when the conversation does not show it either way. */
  status: QualificationStatus;
  /** Why, in a sentence or two. */
  reasoning?: string;
}

export type QualificationStatus = "qualified" | "disqualified" | "not_enough_data";

/** What became of one question configured on the agent. */
export interface QuestionOutcome {
  /** The prospect heard the question. */
  was_asked: boolean;
  /** The prospect answered it, asked or not. */
  was_answered: boolean;
  /** The answer, present only when it is backed by what the prospect said. */
  answer?: string;
}

/** One thing the agent's owner wanted to learn, found in the conversation. */
export interface Insight {
  /** What was learnt. */
  value: string;
  /** The prospect's own words that show it. */
  evidence: string;
}

/** Something the prospect asked. */
export interface ProspectQuestion {
  /** The question. */
  question: string;
  /** What the agent answered, absent when it was not heard. */
  answer?: string;
}

/** Something that held the prospect back. */
export interface Objection {
  /** The objection. */
  objection: string;
  /** What the agent replied, absent when it was not heard. */
  response?: string;
}
