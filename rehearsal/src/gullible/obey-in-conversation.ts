import { findOrders } from "./orders.ts";

/** What a believing model says and calls when the visitor orders it to; undefined when nothing was ordered. */
export function obeyInConversation(
  lastUserText: string,
  systemPrompt: string,
  tools: string[],
): { text: string; tool: string | undefined } | undefined {
  const orders = findOrders([lastUserText]);
  const spaced = lastUserText.toLowerCase().replaceAll("_", " ");
  const tool = tools.find((name) => spaced.includes(name.toLowerCase().replaceAll("_", " ")));
  const leaks = orders.reveal ? orders.codes.map((code) => code.write(systemPrompt)) : [];
  const lines = [...orders.dictated, ...leaks];
  return lines.length === 0 && tool === undefined ? undefined : { text: lines.join("\n"), tool };
}
