import type { AgentConfig } from "#agents";
import { contentWords, sharedCount } from "./content-words.ts";

type Content = AgentConfig["content"][number];

/** What fits best to what a visitor says, if anything: by so many words of its own that no other content has. */
export function fittingContent(
  content: Content[],
  said: string,
  fewestWords: number,
): Content | undefined {
  const words = content.map(({ title, showWhen = "" }) => contentWords(`${title} ${showWhen}`));
  const counts = new Map<string, number>();
  for (const word of words.flatMap((each) => [...each]))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  const spoken = contentWords(said);
  let best: { content: Content; shared: number } | undefined;
  for (const [index, one] of content.entries()) {
    const own = new Set([...words[index]!].filter((word) => counts.get(word) === 1));
    // "The visitor asks …" stands in every condition, also where there is only one.
    for (const word of NARRATING) own.delete(word);
    const shared = sharedCount(own, spoken);
    if (shared > (best?.shared ?? fewestWords - 1)) best = { content: one, shared };
  }
  return best?.content;
}

const NARRATING = contentWords(
  "visitor visitors asks wants says shows Besucher fragt möchte visiteur demande veut visitante pregunta quiere",
);
