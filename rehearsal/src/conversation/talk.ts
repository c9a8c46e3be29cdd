import * as z from "zod";
import type { ChatRequest, Message } from "../language-model/chat-request.ts";
import { orElse, readJson } from "../read-value.ts";
import { languages } from "../words/words-of.ts";
import type { Language } from "../words/words-of.ts";
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

/** What a turn is for, as the last message of a request says it. */
export interface TurnGoal {
  language: string;
  most_words: number;
  goal: Goal;
  /** What the server made of the visitor's last turn; `none` where there is nothing to respond to. */
  visitor: "question" | "statement" | "hostile" | "off_topic" | "asks_if_human" | "none";
  /** Keys of questions. */
  asked: string[];
  answered: string[];
  /** Ids of content. */
  shown: string[];
  email: "unknown" | "open" | "confirmed" | "declined";
  /** Unless a mail follows, none is promised. */
  mail: "follows" | "none";
}

export type Goal =
  | { kind: "greet" | "answer" | "offer_email" | "pick_up" }
  | { kind: "ask"; key: string; text: string }
  | { kind: "show"; id: string; title: string }
  | { kind: "wrap_up"; because: "done" | "time" | "cost" };

const OPENING = "Goal of this turn:";

/** Undefined for a message that gives no goal. */
function readGoal(message: string): TurnGoal | undefined {
  if (!message.startsWith(OPENING)) return undefined;
  try {
    return readJson(turnGoal, message.slice(OPENING.length));
  } catch {
    return undefined;
  }
}

const goal: z.ZodType<Goal> = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["greet", "answer", "offer_email", "pick_up"]) }),
  z.object({ kind: z.literal("ask"), key: z.string(), text: z.string() }),
  z.object({ kind: z.literal("show"), id: z.string(), title: z.string() }),
  z.object({ kind: z.literal("wrap_up"), because: z.enum(["done", "time", "cost"]) }),
]);

const names = orElse(z.array(z.string()), []);

const turnGoal: z.ZodType<TurnGoal> = z.object({
  language: z.string(),
  most_words: orElse(z.number().min(1).max(10_000), 45),
  goal,
  visitor: orElse(
    z.enum(["question", "statement", "hostile", "off_topic", "asks_if_human", "none"]),
    "statement",
  ),
  asked: names,
  answered: names,
  shown: names,
  email: orElse(z.enum(["unknown", "open", "confirmed", "declined"]), "unknown"),
  mail: orElse(z.enum(["follows", "none"]), "none"),
});
