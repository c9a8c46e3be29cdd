import type { DemoAgent } from "../conversation.ts";
import { contentWords } from "./content-words.ts";

const read = new WeakMap<DemoAgent, Set<string>>();

/** Whether the agent's names or its knowledge have this word. */
export function isOnTopic(word: string, agent: DemoAgent): boolean {
  const words = read.get(agent) ?? wordsOf(agent);
  read.set(agent, words);
  const [stem] = contentWords(word);
  return stem !== undefined && words.has(stem);
}

function wordsOf({ config, knowledge }: DemoAgent): Set<string> {
  const texts = [config.name, config.brand.name, ...knowledge.map(({ text }) => text)];
  return contentWords(texts.join("\n"));
}
