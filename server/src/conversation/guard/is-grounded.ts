import { figuresIn, Source } from "#language";
import type { AgentTexts } from "./agent-texts.ts";
import { speaksOfMoney } from "./speaks-of-money.ts";

/**
 * Whether every number, date, link and address of a sentence stands in the agent's texts or was told
 * in the conversation.
 *
 * @param languages those that the sentence may be in: each has number words of its own.
 */
export function isGrounded(
  sentence: string,
  languages: string[],
  { open, prices }: AgentTexts,
  told: () => string[],
): boolean {
  const figures = languages.flatMap((language) => figuresIn(sentence, language));
  if (figures.length === 0) return true;
  // A visitor can name any price. Only the owner's own is an offer.
  const sources = speaksOfMoney(sentence) ? prices : [...open, new Source(told().join("\n"))];
  return figures.every((figure) => sources.some((source) => source.holds(figure)));
}
