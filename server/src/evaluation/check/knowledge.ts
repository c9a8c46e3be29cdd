import { Source } from "#language";

const read = new WeakMap<string[], Source[]>();

/** An agent's knowledge, kept as long as the list is: it is the same for all conversations of a version. */
export function knowledgeOf(knowledge: string[]): Source[] {
  const sources = read.get(knowledge) ?? knowledge.map((text) => new Source(text));
  read.set(knowledge, sources);
  return sources;
}
