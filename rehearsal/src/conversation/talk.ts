import type { ChatRequest, Message } from "../language-model/chat-request.ts";
import { languages } from "../words/language-of.ts";
import type { Language } from "../words/language-of.ts";
import { readGoal } from "./goal.ts";
import type { TurnGoal } from "./goal.ts";
import { readInstructions, readSections } from "./instructions.ts";
import type { Instructions } from "./instructions.ts";

/** A conversation as a request tells it, and what is wanted next. */
export interface Talk extends Instructions, Omit<TurnGoal, "language" | "most_words"> {
  language: Language;
  mostWords: number;
  /** What the visitor said and nobody has responded to yet. */
  visitorSaid: string | undefined;
  /** Everything the visitor ever said, oldest first. */
  allVisitorSaid: string[];
  /** Everything the agent said, oldest first. */
  agentSaid: string[];
  /** What this turn has done so far: there is no step before it unless tools were called. */
  thisTurn: { text: string; tools: string[] };
  /** Names of the tools that may be called. */
  tools: string[];
}

/** Undefined for a request that is no demo agent's, such as a first try with curl. */
export function readTalk({ messages, tools, toolChoice }: ChatRequest): Talk | undefined {
  const isTold = ({ role }: Message): boolean => role === "system" || role === "developer";
  const told = messages.filter(isTold).map((message) => message.text);
  const turns = messages.filter((message) => !isTold(message));
  const instructions = first(told, readInstructions);
  const goal = first(told.toReversed(), readGoal);
  if (instructions === undefined || goal === undefined) return undefined;
  const trailing = stepsOfThisTurn(turns);
  // The visitor acted on the card since then: what opened it belongs to an earlier turn.
  const isSettled = goal.visitor === "none" && calledIn(trailing).includes("ask_email");
  const steps = isSettled ? [] : trailing;
  const before = turns.at(-1 - steps.length);
  return {
    ...instructions,
    ...goal,
    // What a search found earlier is still known.
    knowledge: [...instructions.knowledge, ...textsOf(turns, "tool").flatMap(readSections)],
    language: spoken(goal.language),
    mostWords: goal.most_words,
    visitorSaid: before?.role === "user" && goal.visitor !== "none" ? before.text : undefined,
    allVisitorSaid: textsOf(turns, "user"),
    agentSaid: textsOf(turns, "assistant"),
    thisTurn: {
      text: textsOf(steps, "assistant").join(" "),
      tools: calledIn(steps),
    },
    tools: toolChoice === "none" ? [] : tools.map((tool) => tool.name),
  };
}

/** The calls at the end, and what was said with them. Empty at the first request of a turn. */
function stepsOfThisTurn(turns: Message[]): Message[] {
  if (turns.at(-1)?.role !== "tool") return [];
  const start = turns.findLastIndex(({ role, calls }) => role !== "tool" && calls.length === 0);
  return turns.slice(start + 1);
}

function calledIn(messages: Message[]): string[] {
  return messages.flatMap(({ calls }) => calls.map((call) => call.name));
}

function textsOf(messages: Message[], role: Message["role"]): string[] {
  return messages
    .filter((message) => message.role === role && message.text !== "")
    .map((message) => message.text);
}

function first<T>(texts: string[], read: (text: string) => T | undefined): T | undefined {
  for (const text of texts) {
    const value = read(text);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A language that the scripts do not speak is answered in English. */
function spoken(code: string): Language {
  const [base] = code.toLowerCase().split("-");
  return languages.find((language) => language === base) ?? "en";
}
