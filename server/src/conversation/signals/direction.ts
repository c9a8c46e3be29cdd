import type { AgentTool } from "@svc/contract/types";

/** What a model wants to happen beside its words, written into them: `⟦show prices⟧`. */
export interface Direction {
  name: DirectionName;
  /** What stands behind the name; empty where there is nothing. */
  value: string;
}

export type DirectionName = (typeof NAMES)[number];

const NAMES = [
  "got",
  "ask",
  "unknown",
  "show",
  "do",
  "email",
  "person",
  "language",
  "=",
  "bye",
] as const;

/** Undefined for what is none: a model's invention, or a mark that a visitor wrote. */
export function readDirection(text: string): Direction | undefined {
  const [, found, value = ""] = /^\s*(=|\p{L}+)\s*:?\s*["'“]?(.*?)["'”]?\s*$/su.exec(text) ?? [];
  const name = NAMES.find((one) => one === found?.toLowerCase());
  if (name === undefined) return undefined;
  const takes = VALUES[name] ?? "one";
  const isRight = value === "" ? takes !== "one" : takes !== "none";
  return isRight ? { name, value } : undefined;
}

/** Those that are not here take exactly one. */
const VALUES: Partial<Record<DirectionName, "none" | "maybe">> = {
  email: "maybe",
  person: "none",
  bye: "none",
};

/** What an agent must be allowed to do for a direction; those that are not here are always allowed. */
export const TOOL_OF: Partial<Record<DirectionName, AgentTool>> = {
  show: "show_content",
  email: "ask_email",
  person: "talk_to_a_person",
  bye: "end_session",
};

/** As the model wrote it, for the history of what happened. */
export function writeDirection({ name, value }: Direction): string {
  return `⟦${name}${value === "" ? "" : ` ${value}`}⟧`;
}

/** The key of a question and the visitor's words: `team_size: around 40 people`. */
export function readNote(value: string): { key: string; quote: string } | undefined {
  const [, key, quote] = /^([^\s:]+)\s*:\s*["'“„«]?(.+?)["'”»]?$/su.exec(value) ?? [];
  return key === undefined || quote === undefined ? undefined : { key, quote };
}

/** A text of others as a model may read it: it cannot be taken for a direction. */
export function withoutMarks(text: string): string {
  return text.replaceAll("⟦", "[[").replaceAll("⟧", "]]");
}
