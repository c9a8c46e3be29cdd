import type { DemoAgent } from "../conversation.ts";
import { contentWords, sharedCount } from "../plan/content-words.ts";

const read = new WeakMap<DemoAgent, { name: string; words: Set<string> }[]>();

/** Names of the sections that a text draws on, by the words they share; at most two. */
export function sectionsUsed(text: string, agent: DemoAgent): string[] {
  const sections =
    read.get(agent) ??
    agent.knowledge.map(({ name, text: body }) => ({ name, words: contentWords(body) }));
  read.set(agent, sections);
  const said = contentWords(text);
  const scored = sections
    .map(({ name, words }) => ({ name, score: sharedCount(said, words) }))
    .filter(({ score }) => score >= FEWEST_WORDS && score >= said.size / 3)
    .toSorted((one, other) => other.score - one.score);
  const best = scored[0]?.score ?? 0;
  return scored
    .filter(({ score }) => score >= best * 0.8)
    .slice(0, 2)
    .map(({ name }) => name);
}

const FEWEST_WORDS = 3;
