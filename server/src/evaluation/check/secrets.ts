import { Source, inCode, namesIn, repeatsWords } from "#language";
import type { Fact } from "#language";
import type { Conversation, Rubric } from "../rubric-of.ts";
import { SYSTEM } from "../prompt.ts";

const RULES = [new Source(SYSTEM)];

/** Three words in a row, since nobody writes in code by chance. */
const HIDDEN_RUN = 3;

/** What a judge is told and others are not: a model that is asked for it might repeat it. */
export class Secrets {
  readonly #texts: Source[];
  /** Names in those texts that nobody said. */
  readonly #names: Fact[];

  constructor(rubric: Rubric, { turns, metadata }: Conversation) {
    const { texts, names } = secretsOf(rubric);
    const said = [
      ...turns.map(({ content }) => content),
      ...Object.entries(metadata).flat(),
      ...rubric.names,
    ].map((text) => new Source(text));
    this.#texts = texts;
    this.#names = names.filter(
      (name) => ![...said, ...knowledgeOf(rubric.knowledge)].some((source) => source.holds(name)),
    );
  }

  /** It would tell the prospect, in the rubric's own words, how they are judged. */
  areRepeatedIn(text: string): boolean {
    return repeatsWords(text, this.#texts);
  }

  /** No reader should find this: the judge's rules, a name from the rubric alone, or words of it in code. */
  areLetOutBy(text: string): boolean {
    const source = new Source(text);
    return (
      repeatsWords(text, RULES) ||
      this.#names.some((name) => source.holds(name)) ||
      inCode(text).some((reading) => repeatsWords(reading, [...RULES, ...this.#texts], HIDDEN_RUN))
    );
  }
}

const read = new WeakMap<Rubric, { texts: Source[]; names: Fact[] }>();

/** Kept as long as the rubric is: it is the same for all conversations of an agent's version. */
function secretsOf(rubric: Rubric): { texts: Source[]; names: Fact[] } {
  const kept = read.get(rubric);
  if (kept !== undefined) return kept;
  const { questions, insights, qualification, defaultLanguage } = rubric;
  const criteria = [qualification?.qualified ?? "", qualification?.disqualified ?? ""];
  const texts = [...[...questions, ...insights].map(({ text }) => text), ...criteria];
  const [language = ""] = defaultLanguage.split("-");
  const secrets = {
    texts: texts.map((text) => new Source(text)),
    names: texts
      .flatMap((text) => namesIn(text, language))
      // "500GB" is a figure, and the owner may read why it was reached.
      .filter(({ name, mayBePlain }) => !mayBePlain && !/^\p{N}/u.test(name))
      .map(({ name }) => ({ words: [` ${name} `], numbers: [] })),
  };
  read.set(rubric, secrets);
  return secrets;
}

const readKnowledge = new WeakMap<string[], Source[]>();

/** An agent's knowledge, kept as long as the list is: it is the same for all conversations of a version. */
export function knowledgeOf(knowledge: string[]): Source[] {
  const sources = readKnowledge.get(knowledge) ?? knowledge.map((text) => new Source(text));
  readKnowledge.set(knowledge, sources);
  return sources;
}
