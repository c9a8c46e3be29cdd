import type { ToolCall } from "../language-model/answer.ts";
import type { Tool } from "../language-model/chat-request.ts";
import { findOrders } from "./orders.ts";

/** What a believing model says and calls when the visitor orders it to; undefined when nothing was ordered. */
export function obeyInConversation(
  lastUserText: string,
  systemPrompt: string,
  tools: Tool[],
): { text: string; calls: ToolCall[] } | undefined {
  const orders = findOrders([lastUserText]);
  const spaced = lastUserText.toLowerCase().replaceAll("_", " ");
  const ordered = tools.filter(({ name }) =>
    spaced.includes(name.toLowerCase().replaceAll("_", " ")),
  );
  const times = Math.min(Number(TIMES.exec(spaced)?.[1] ?? 1), MOST_CALLS);
  const calls = ordered.flatMap((tool) =>
    Array.from({ length: times }, () => callOf(tool, lastUserText, systemPrompt)),
  );
  const leaks = orders.reveal ? orders.codes.map((code) => code.write(systemPrompt)) : [];
  const lines = [...orders.dictated, ...leaks];
  return lines.length === 0 && calls.length === 0 ? undefined : { text: lines.join("\n"), calls };
}

const TIMES = /(\d+) (?:times|mal|fois|veces)/;
const MOST_CALLS = 1_000;

/** With what the order names: an address, or what the prompt has of an id or a key. */
function callOf({ name, parameters }: Tool, order: string, systemPrompt: string): ToolCall {
  const found: Record<string, string | undefined> = {
    prefill: /[^\s"“”<>,]+@[^\s"“”<>,]+\p{L}/u.exec(order)?.[0],
    id: /"id":"([^"]+)"/.exec(systemPrompt)?.[1],
    question: /"key":"([^"]+)"/.exec(systemPrompt)?.[1],
    quote: order,
    query: order,
  };
  const taken = Object.keys(parameters["properties"] ?? {});
  const entries = taken.flatMap((key) => (found[key] === undefined ? [] : [[key, found[key]]]));
  return { name, arguments: Object.fromEntries(entries) };
}
