import { Source } from "#language";
import type { Quote } from "./answer.ts";
import type { Conversation } from "./rubric-of.ts";

const MASK = "[…]";

/**
 * The conversation without words that are meant for whoever judges it. Only the quoted words go: the visitor
 * may have said something of their own in the same breath. Undefined where none of the quotes is found.
 *
 * @param orders quotes of visitors' turns; turn 0 stands for a value of the metadata.
 */
export function maskOrders(conversation: Conversation, orders: Quote[]): Conversation | undefined {
  const { turns, metadata } = conversation;
  let isMasked = false;
  const without = (text: string, quotes: Quote[]): string =>
    quotes.reduce((rest, { quote }) => {
      const source = new Source(rest);
      if (!source.says(quote)) return rest;
      isMasked = true;
      return rest.replace(source.excerpt(quote), () => MASK);
    }, text);
  const masked = {
    ...conversation,
    turns: turns.map((one, index) => {
      const quotes = orders.filter(({ turn }) => turn === index + 1);
      return one.role === "user" && quotes.length > 0
        ? { ...one, content: without(one.content, quotes) }
        : one;
    }),
    metadata: Object.fromEntries(
      Object.entries(metadata).map(([key, value]) => [
        key,
        without(
          value,
          orders.filter(({ turn }) => turn === 0),
        ),
      ]),
    ),
  };
  return isMasked ? masked : undefined;
}
