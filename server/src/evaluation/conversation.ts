import type { Metadata, TurnRole } from "@svc/contract/types";

/** What is judged. */
export interface Conversation {
  /** As heard: an interrupted assistant turn holds only what was heard. */
  turns: { role: TurnRole; content: string; interrupted: boolean }[];
  metadata: Metadata;
}

/** What it is judged by: the part of an agent's configuration that an evaluation needs. */
export interface Rubric {
  /** Names that everybody may know: the agent's and the brand's. */
  names: string[];
  /** The agent's language codes. */
  languages: string[];
  defaultLanguage: string;
  /** Of summaries, reasoning, answers and insights. */
  recordLanguage: string;
  questions: { key: string; text: string }[];
  insights: { key: string; text: string }[];
  qualification?: { qualified: string; disqualified?: string };
  /** Texts of the agent's knowledge files. Never in the prompt; grounds for facts in summaries. */
  knowledge: string[];
}
