import type { ChatRequest } from "../language-model/chat-request.ts";
import { bare } from "./talk.ts";
import type { Talk } from "./talk.ts";

/** What a request of a conversation says to its model. */
export interface Asked {
  code: string;
  state: State;
  /** The visitor's words of all turns. */
  visitorSaid: string;
  /** What stands there as said by the agent. */
  heard: string;
  veto?: { sentence: string; reason: string };
  /** The summary for the visitor's last screen is wanted. */
  isRecap: boolean;
  /** What is wrong with its form. */
  faults: string[];
}

export interface State {
  date: string;
  weekday: string;
  language: string;
  mode: string;
  words: number;
  minutes_left: number;
  open: string[];
  asked: string[];
  answered: Record<string, string>;
  shown: string[];
  email: string;
  mail: string;
  page?: Record<string, unknown>;
}

const FIRST_LINE =
  "You are the guide of a product demo on a website, and you talk with one visitor.";
const REASON = /^(?:figure|money|link|secret|asked|human|invented)$/;
const KEYS = "date weekday language mode words open asked answered shown email mail".split(" ");

/** Throws where the request has no state: then nothing else can be told. */
export function readAsked({ messages }: ChatRequest): Asked {
  const users = messages.flatMap(({ role, text }) => (role === "user" ? [text] : []));
  const last = users.at(-1) ?? "";
  const end = /\[state ([0-9a-f]{6})\]\n(\{[^\n]*\})\n\[\/state \1\]\s*$/u.exec(last);
  if (end === null) throw new Error(`no state at the end of: ${last.slice(-300)}`);
  const [block, code = "", json = ""] = end;
  const state = JSON.parse(json) as State;
  const ofLast = last.slice(0, -block.length);
  const veto = new RegExp(
    `^\\[event ${code}\\] Not said: "(.*)"\\. Why: (\\w+): .+ Go on behind your last word`,
    "mu",
  ).exec(ofLast);
  const events = new RegExp(`^\\[event ${code}\\].*$`, "gmu");
  const talk = messages.filter(({ role, calls }) => role !== "tool" && calls.length === 0);
  const roles = talk.map(({ role }) => role);
  const faults = Object.entries({
    "the first line is another one": !messages[0]?.text.startsWith(FIRST_LINE),
    "not one system message, in front": roles.lastIndexOf("system") !== 0,
    [`roles do not alternate: ${roles.join(" ")}`]: roles.some((one, at) => one === roles[at - 1]),
    "ends on an assistant's message": messages.at(-1)?.role === "assistant",
    "an earlier message has a state": users
      .slice(0, -1)
      .some((one) => one.includes(`[state ${code}]`)),
    "a veto that cannot be read": veto === null && ofLast.includes(`[event ${code}] Not said`),
    [`unknown reason ${veto?.[2]}`]: veto !== null && !REASON.test(veto[2]!),
    [`state without ${KEYS.find((key) => !(key in state))}`]: KEYS.some((key) => !(key in state)),
  });
  return {
    code,
    state,
    visitorSaid: [...users.slice(0, -1), ofLast].join("\n").replaceAll(events, ""),
    heard: talk.flatMap(({ role, text }) => (role === "assistant" ? [text] : [])).join("\n"),
    isRecap: ofLast.includes(`[event ${code}] The conversation is over.`),
    ...(veto !== null && { veto: { sentence: veto[1]!, reason: veto[2]! } }),
    faults: faults.flatMap(([fault, isSo]) => (isSo ? [fault] : [])),
  };
}

/** What a visitor typed, or a page told, as the model reads it. */
export function escaped(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return text.replaceAll("⟦", "[[").replaceAll("⟧", "]]");
}

/** What the state must tell in a turn of a talk and does not. */
export function stateFaults(talk: Talk, turn: number, { state, heard, veto }: Asked): string[] {
  const at = new Date(talk.today);
  const wanted = new Map([
    ["date", talk.today],
    ["weekday", at.toLocaleDateString("en", { weekday: "long", timeZone: "UTC" })],
    ["language", talk.language],
    ["mode", "text"],
  ]);
  for (const [key, value] of Object.entries(talk.metadata ?? {}))
    wanted.set(`page.${key}`, escaped(value));
  for (const { reply } of talk.turns.slice(0, turn)) {
    // What stands before the first sentence took effect with it, or with a later one and was written back.
    const isFirstHeard = bare(heard).includes(bare(reply?.sentences[0]?.say ?? "?"));
    const isHeard = (mark: string): boolean => isFirstHeard || heard.includes(`⟦${mark}⟧`);
    const { language, notes = [] } = reply ?? {};
    if (language !== undefined && isHeard(`language ${language}`)) wanted.set("language", language);
    for (const { question, quote } of notes)
      if (isHeard(`got ${question}: ${quote}`)) wanted.set(`answered.${question}`, escaped(quote));
  }
  // A second try is told in the middle of its turn, whose own notes may count already.
  const { language: own, notes: fresh = [] } = talk.turns[turn]?.reply ?? {};
  if (veto !== undefined && own !== undefined) wanted.delete("language");
  if (veto !== undefined) for (const { question } of fresh) wanted.delete(`answered.${question}`);
  const told = (path: string): unknown =>
    path.split(".").reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], state);
  return [...wanted].flatMap(([path, value]) =>
    bare(escaped(told(path))) === bare(value)
      ? []
      : [`state: ${path} is ${JSON.stringify(told(path))}, not ${JSON.stringify(value)}`],
  );
}
