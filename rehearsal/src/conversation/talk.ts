import * as z from "zod";
import type { ChatRequest, Message } from "../language-model/chat-request.ts";
import { orElse, readJson } from "../read-value.ts";
import { languageOf, languages, wordsOf } from "../words/words-of.ts";
import type { Language } from "../words/words-of.ts";
import { readInstructions, readSections } from "./instructions.ts";
import type { Instructions } from "./instructions.ts";

/** A conversation as a request tells it. */
export interface Talk extends Instructions {
  state: State;
  /** To be spoken now. */
  language: Language;
  /** The visitor has changed to this language with their last words. */
  isNewLanguage: boolean;
  /** What the visitor said and nobody has responded to yet. */
  visitorSaid: string | undefined;
  /** What has happened since the agent's last words, as the server tells it. */
  events: string[];
  /** Everything the visitor ever said, oldest first. */
  allVisitorSaid: string[];
  /** Everything the visitor heard of the agent, oldest first, with its directions. */
  agentSaid: string[];
  /** The key of the question that the visitor's turn follows. */
  askedLast: string | undefined;
  /** Set in the second try after a veto. */
  held: { sentence: string; code: string; isFirst: boolean } | undefined;
  /** The knowledge is too large for the prompt, and may still be searched in this turn. */
  canSearch: boolean;
}

/** Undefined for a request that is no demo agent's, such as a first try with curl. */
export function readTalk({ messages, tools, toolChoice }: ChatRequest): Talk | undefined {
  const instructions = readInstructions(messages.find(isTold)?.text ?? "");
  const turns = messages.filter((message) => !isTold(message));
  const last = turns.findLastIndex(({ role }) => role === "user");
  const told = readState(turns[last]?.text ?? "");
  if (instructions === undefined || told === undefined) return undefined;
  const { code, state, before } = told;
  const userTexts = turns.slice(0, last).filter(({ role }) => role === "user");
  const past = userTexts.map(({ text }) => readEvents(text, code));
  const now = readEvents(before, code);
  const agentSaid = textsOf(turns, "assistant");
  const [, sentence, why] = now.events.map((event) => VETO.exec(event)).find(Boolean) ?? [];
  // What was let through of this reply stands as the last message of the agent's.
  const isGoingOn = why !== undefined && now.words === "";
  const said = isGoingOn ? past.at(-1)?.words : now.words;
  const heardBefore = isGoingOn ? agentSaid.slice(0, -1) : agentSaid;
  const follows = languageFollowed(said ?? "", state.language, instructions.agent.languages);
  return {
    ...instructions,
    // What a search found earlier is still known.
    knowledge: [...instructions.knowledge, ...textsOf(turns, "tool").flatMap(readSections)],
    state,
    language: follows ?? spoken(state.language) ?? "en",
    isNewLanguage: follows !== undefined,
    visitorSaid: said === "" ? undefined : said,
    events: now.events,
    allVisitorSaid: [...past, now].map(({ words }) => words).filter((words) => words !== ""),
    agentSaid,
    askedLast: [...(heardBefore.at(-1) ?? "").matchAll(ASK)].at(-1)?.[1],
    held: why === undefined ? undefined : { sentence: sentence!, code: why, isFirst: !isGoingOn },
    canSearch:
      instructions.isSearched &&
      toolChoice !== "none" &&
      tools.some(({ name }) => name === "search_knowledge") &&
      !turns.slice(last).some(({ role }) => role === "tool") &&
      !now.events.some((event) => event.startsWith("Answer now")),
  };
}

const VETO = /^Not said: "([^]*)"\. Why: (\w+):/;
const ASK = /⟦ask (\w+)⟧/g;

function isTold({ role }: Message): boolean {
  return role === "system" || role === "developer";
}

function textsOf(messages: Message[], role: Message["role"]): string[] {
  return messages
    .filter((message) => message.role === role && message.text !== "")
    .map((message) => message.text);
}

/** What the server has told about the session so far. */
export interface State {
  language: string;
  words: number;
  minutes_left: number;
  /** Keys of questions. */
  open: string[];
  asked: string[];
  answered: Record<string, unknown>;
  /** Ids of content. */
  shown: string[];
  email: "none" | "open" | "confirmed" | "declined";
  /** Unless a mail follows, none is promised. */
  mail: "follows" | "none";
  page: Record<string, unknown>;
  actions: {
    /** Names of those that the visitor's page has. */
    offered: string[];
    /** What came of each the last time. */
    last: Record<string, { state: string; result?: string }>;
  };
}

const names = orElse(z.array(z.string()), []);
const values = orElse(z.record(z.string(), z.unknown()), {});

const stateSchema: z.ZodType<State> = z.object({
  language: z.string(),
  words: orElse(z.number().min(1).max(10_000), 45),
  minutes_left: orElse(z.number(), Infinity),
  open: names,
  asked: names,
  answered: values,
  shown: names,
  email: orElse(z.enum(["none", "open", "confirmed", "declined"]), "none"),
  mail: orElse(z.enum(["follows", "none"]), "none"),
  page: values,
  actions: orElse(
    z.object({
      offered: names,
      last: orElse(
        z.record(z.string(), z.object({ state: z.string(), result: z.string().exactOptional() })),
        {},
      ),
    }),
    { offered: [], last: {} },
  ),
});

const STATE = /\[state (\w+)\]\n(\{.*\})\n\[\/state \1\]\s*$/;

/** The state at the end of a message; undefined where there is none. */
function readState(message: string): { code: string; state: State; before: string } | undefined {
  const [block, code, json] = STATE.exec(message) ?? [];
  if (block === undefined) return undefined;
  try {
    const before = message.slice(0, -block.length);
    return { code: code!, state: readJson(stateSchema, json!), before };
  } catch {
    return undefined;
  }
}

/** Only what carries the session's code is an event; all else are the visitor's words. */
function readEvents(text: string, code: string): { words: string; events: string[] } {
  const [words, ...events] = text.split(`[event ${code}]`).map((part) => part.trim());
  return { words: words!, events };
}

/** Undefined for a language that the scripts do not speak. */
function spoken(code: string): Language | undefined {
  const [base] = code.toLowerCase().split("-");
  return languages.find((language) => language === base);
}

/** The language that the visitor has changed to; undefined where they stay, or it is not the agent's. */
function languageFollowed(
  said: string,
  current: string,
  offered: string[] | undefined,
): Language | undefined {
  const heard = languageOf(wordsOf(said), 2);
  if (heard === undefined || heard === spoken(current)) return undefined;
  return (offered ?? [heard]).some((code) => spoken(code) === heard) ? heard : undefined;
}
