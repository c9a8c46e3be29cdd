import { join } from "node:path";
import type { Answer } from "../language-model/answer.ts";
import { readChatRequest } from "../language-model/chat-request.ts";
import { answerConversation } from "./answer-conversation.ts";
import { readConversationScripts } from "./scripts/conversation-scripts.ts";
import type { ConversationScripts } from "./scripts/conversation-scripts.ts";
import { readTalk } from "./talk.ts";
import type { State, Talk } from "./talk.ts";

/** The scripts of this package. */
export const scripts: ConversationScripts = readConversationScripts(
  join(import.meta.dirname, "../../scripts/conversations"),
)!;

/** The first message of a request, for an agent that is nobody's example. */
export const INSTRUCTIONS = `You are the guide of a product demo on a website, and you talk with one visitor.

# Agent
{"name":"Rosa","brand":"Velomax","languages":["en","de","fr","es"]}
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

/** What was said so far, the agent's turns and the visitor's in turn, or whole messages. */
export type Said = (string | object)[];

export interface TalkOptions extends Partial<State> {
  instructions?: string;
  /** What happened since, instead of words or behind them. */
  events?: string[];
  tools?: string[];
}

/** Of the sessions under test. */
export const CODE = "4f9c2a";

/** The visitor speaks last, and the agent first where the count is even. */
export function requestFor(said: Said, options: TalkOptions = {}): object {
  const { instructions = INSTRUCTIONS, tools = [], events = [], ...state } = options;
  const open = [...instructions.matchAll(/"key":"(\w+)"/g)].map(([, key]) => key);
  const told = { language: "en", mode: "text", words: 90, open, email: "none", ...state };
  const turns = said.map((turn, index) => {
    const role = (said.length - index) % 2 === 1 ? "user" : "assistant";
    return typeof turn === "string" ? { role, content: turn } : { ...turn };
  });
  const last = turns.findLast((turn) => "role" in turn && turn.role === "user") ?? { content: "" };
  const words = "content" in last ? [String(last.content)].filter((text) => text !== "") : [];
  const fenced = `[state ${CODE}]\n${JSON.stringify(told)}\n[/state ${CODE}]`;
  const happened = events.map((event) => `[event ${CODE}] ${event}`);
  Object.assign(last, { content: [...words, ...happened, fenced].join("\n\n") });
  return {
    model: "any",
    messages: [{ role: "system", content: instructions }, ...turns],
    ...(tools.length > 0 && {
      tools: tools.map((name) => ({ type: "function", function: { name } })),
    }),
  };
}

export function talkOf(said: Said, options?: TalkOptions): Talk {
  return readTalk(readChatRequest(JSON.stringify(requestFor(said, options))))!;
}

/** What the model writes or calls next. */
export function replyTo(said: Said, options?: TalkOptions): Answer {
  return answerConversation(readChatRequest(JSON.stringify(requestFor(said, options))), scripts);
}

/** What a session of a server's keeps, as far as a model can tell. */
export class SessionUnderTest {
  readonly said: string[];
  readonly written: string[] = [];
  hasEnded = false;
  readonly #state: Partial<State> & Pick<State, "open" | "asked" | "answered" | "shown">;
  readonly #instructions: string;

  constructor(instructions: string, greeting: string, state: Partial<State> = {}) {
    this.#instructions = instructions;
    this.said = [greeting];
    const keys = [...instructions.matchAll(/"key":"(\w+)"/g)].map(([, key]) => key!);
    this.#state = { open: keys, asked: [], answered: {}, shown: [], mail: "follows", ...state };
  }

  get state(): Readonly<Partial<State>> {
    return this.#state;
  }

  /** The visitor's words, the reply to them, and what it does. */
  hear(words: string, events: string[] = []): string {
    for (const event of events) {
      if (event.startsWith("The visitor confirmed")) this.#state.email = "confirmed";
      if (event.startsWith("The visitor closed")) this.#state.email = "declined";
    }
    const options = { ...this.#state, instructions: this.#instructions, events };
    const { text } = replyTo([...this.said, words], options);
    const past = [words, ...events.map((event) => `[event ${CODE}] ${event}`)];
    this.said.push(past.filter((one) => one !== "").join("\n\n"), text);
    this.written.push(text);
    for (const [, name, value] of text.matchAll(/⟦(\w+)(?: ([^⟧]*))?⟧/g))
      this.#take(name!, value ?? "");
    return text;
  }

  #take(name: string, value: string): void {
    const state = this.#state;
    const settle = (key: string): void => {
      state.open = state.open.filter((one) => one !== key);
      state.asked = state.asked.filter((one) => one !== key);
    };
    if (name === "ask") {
      settle(value);
      state.asked.push(value);
    }
    if (name === "got") {
      const [key, quote] = value.split(/: (.*)/);
      settle(key!);
      state.answered[key!] = quote;
    }
    if (name === "show") state.shown.push(value);
    if (name === "email") state.email = "open";
    if (name === "language") state.language = value;
    if (name === "bye") this.hasEnded = true;
  }
}
