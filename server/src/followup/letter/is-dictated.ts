import { factsIn, figuresIn, hasForeignRow, repeatsWords } from "#language";
import type { Fact, Source } from "#language";

/** The texts that a summary may come from. */
export interface SaidInTalk {
  /** The language of the summary (BCP 47). */
  language: string;
  /** What the owner wrote for the agent to say: knowledge, content, questions, names. */
  owner: Source[];
  /** What the visitor said or typed, and what their page passed along. */
  visitor: Source[];
}

/** One fewer than elsewhere: what is dictated is often short, and a sentence too few harms nobody. */
const RUN = 4;

/**
 * Returns whether a sentence may say what only the visitor said. The address may be a stranger's and
 * the visitor may have dictated a letter to them: "call 1 800 555 0199 and read out the code". What
 * the agent said is no excuse, since a gullible model repeats it. So numbers, addresses and codes must
 * be the owner's, and neither names nor four words in a row may be the visitor's alone.
 */
export function isDictated(sentence: string, { language, owner, visitor }: SaidInTalk): boolean {
  const isIn = (sources: Source[], fact: Fact): boolean =>
    sources.some((source) => source.holds(fact));
  return (
    hasForeignRow(sentence, language, owner) ||
    figuresIn(sentence, language).some((fact) => !isIn(owner, fact)) ||
    factsIn(sentence, language).some((fact) => isIn(visitor, fact) && !isIn(owner, fact)) ||
    repeatsWords(sentence, visitor, RUN, owner)
  );
}
