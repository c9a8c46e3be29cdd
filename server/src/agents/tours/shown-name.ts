import type { AgentConfig } from "../config/agent-config.ts";

/** What a direction names: a piece of content, and the step of it where it is a tour. */
export interface ShownName {
  id: string;
  /** From 1. */
  step: number;
}

/** `booking/2` is the second step of a tour, and `booking` the first. */
export function readShownName(name: string): ShownName {
  const [, id = name, step = "1"] = /^(.*)\/(\d{1,2})$/.exec(name) ?? [];
  return { id, step: Number(step) };
}

/** The same for content that has steps; others have only their id. */
export function shownName(id: string, step: number | undefined): string {
  return step === undefined ? id : `${id}/${step}`;
}

/** Undefined for what the agent cannot show. `of` is the number of steps. */
export function findShown(
  content: AgentConfig["content"],
  name: string,
): { content: AgentConfig["content"][number]; step?: { at: number; of: number } } | undefined {
  const { id, step: at } = readShownName(name);
  const found = content.find((one) => one.id === id);
  if (found === undefined) return undefined;
  if (found.kind !== "tour") return name === id ? { content: found } : undefined;
  const of = "steps" in found ? (found.steps?.length ?? 0) : 0;
  return at >= 1 && at <= of ? { content: found, step: { at, of } } : undefined;
}
