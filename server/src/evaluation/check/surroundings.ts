import type { DropReason } from "../answer.ts";
import type { Conversation, Rubric } from "../conversation.ts";
import type { Secrets } from "./secrets.ts";
import type { Transcript } from "./transcript.ts";

/** What a claim is checked against. */
export interface Surroundings {
  rubric: Rubric;
  conversation: Conversation;
  transcript: Transcript;
  secrets: Secrets;
  /** The visitor's, one of the agent's. */
  language: string;
  /** Notes what is left out, if there is a fault; whether there is one. */
  drop(where: string, fault: DropReason | undefined): boolean;
}
