import { join } from "node:path";
import type { Answer } from "../language-model/answer.ts";
import { readChatRequest } from "../language-model/chat-request.ts";
import { answerConversation } from "./answer-conversation.ts";
import { readConversationScripts } from "./scripts/conversation-scripts.ts";
import type { ConversationScripts } from "./scripts/conversation-scripts.ts";
import { readTalk } from "./talk.ts";
import type { Talk, TurnGoal } from "./talk.ts";

/** The scripts of this package. */
export const scripts: ConversationScripts = readConversationScripts(
  join(import.meta.dirname, "../../scripts/conversations"),
)!;

/** The first message of a request, for an agent that is nobody's example. */
export const INSTRUCTIONS = `You are the guide of a product demo.

# Agent
{"name":"Rosa","brand":"Velomax","language":"en"}
# Persona
Friendly.
# Content
{"id":"range","title":"The range table","kind":"table","show_when":"The visitor asks how far the battery lasts."}
# Questions
{"key":"riders","text":"How many people in your family would ride it?"}
{"key":"start","text":"When would you like to ride?"}
# Knowledge
## bikes.md#Price
The City model costs 2,990 euros. The Family model costs 3,990 euros.
## bikes.md#Battery
- The **battery** lasts 80 kilometres
  and charges in four hours.
- It comes with a warranty of five years.
`;

export const TOOLS: string[] = [
  "note_answer",
  "show_content",
  "ask_email",
  "search_knowledge",
  "talk_to_a_person",
  "end_session",
];

/** What was said so far, the agent's turns and the visitor's in turn, or whole messages. */
export type Said = (string | object)[];

export interface TalkOptions extends Partial<TurnGoal> {
  instructions?: string;
  tools?: string[];
}

/** The visitor speaks last, and the agent first where the count is even. */
export function requestFor(said: Said, options: TalkOptions = {}): object {
  const { instructions = INSTRUCTIONS, tools = TOOLS, ...goal } = options;
  const turns = said.map((turn, index) => {
    const role = (said.length - index) % 2 === 1 ? "user" : "assistant";
    return typeof turn === "string" ? { role, content: turn } : turn;
  });
  const told = { language: "en", most_words: 45, goal: { kind: "answer" }, ...goal };
  return {
    model: "any",
    messages: [
      { role: "system", content: instructions },
      ...turns,
      { role: "system", content: `Goal of this turn:\n${JSON.stringify(told)}` },
    ],
    ...(tools.length > 0 && {
      tools: tools.map((name) => ({ type: "function", function: { name } })),
    }),
  };
}

export function talkOf(said: Said, options?: TalkOptions): Talk {
  return readTalk(readChatRequest(JSON.stringify(requestFor(said, options))))!;
}

/** What the model says and calls next. */
export function replyTo(said: Said, options?: TalkOptions): Answer {
  return answerConversation(readChatRequest(JSON.stringify(requestFor(said, options))), scripts);
}
