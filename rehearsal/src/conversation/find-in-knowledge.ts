import { isConcept, termsOf } from "../words/terms-of.ts";
import { languageOf, sentences, wordsOf } from "../words/words-of.ts";
import type { Language } from "../words/words-of.ts";
import type { Section } from "./instructions.ts";
import type { Talk } from "./talk.ts";

/** Of what is asked, this much must be in a sentence, or it is no answer to it. */
const ENOUGH = 0.5;
/** Of a question in another language, this much must be understood. */
const ENOUGH_SHARED = 0.4;

/** The sentence of the knowledge that says most about what is asked; undefined when none says enough. */
export function findInKnowledge(
  asked: string,
  { knowledge, agent, language }: Pick<Talk, "knowledge" | "agent" | "language">,
): string | undefined {
  const ownNames = termsOf(`${agent.name} ${agent.brand}`);
  const told = knowledge.flatMap(({ name, text }) => {
    const heading = termsOf(name.replace(/^[^#]*#/, "").replaceAll("-", " "));
    return spokenSentences(text).map((sentence) => ({
      sentence,
      heading,
      terms: termsOf(sentence),
    }));
  });
  const isAskedOtherwise = isForeign(
    knowledge.map(({ text }) => text).join(" "),
    languageOf(wordsOf(asked)) ?? language,
  );
  const words = isAskedOtherwise ? sharedWords(asked, knowledge) : asked;
  const wanted = [...termsOf(words)].filter((term) => !ownNames.has(term));
  if (wanted.length < ENOUGH_SHARED * termsOf(asked).size) return undefined;
  const rarity = (term: string): number =>
    Math.log(1 + told.length / (1 + told.filter(({ terms }) => terms.has(term)).length));
  const whole = sum(wanted.map(rarity));
  let best: { sentence: string; score: number } | undefined;
  for (const { sentence, heading, terms } of told) {
    const inSentence = sum(wanted.filter((term) => terms.has(term)).map(rarity));
    const inHeading = sum(wanted.filter((term) => heading.has(term)).map(rarity));
    const score = (Math.max(inSentence, 0.9 * inHeading) + inSentence * 0.1) / whole;
    if (score >= ENOUGH && score > (best?.score ?? 0)) best = { sentence, score };
  }
  return best?.sentence;
}

/** Markdown as it is read aloud, sentence by sentence. */
export function spokenSentences(markdown: string): string[] {
  return markdown
    .split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.|#+)\s)/)
    .map((block) => block.replace(/^\s*(?:[-*+]|\d+\.|#+)\s+/, "").replaceAll(/\s+/g, " "))
    .flatMap((block) => sentences(block.replaceAll(/[*_`]+|\[([^\]]*)\]\([^)]*\)/g, "$1")))
    .filter((sentence) => /[.!…]["”»)]?$/.test(sentence));
}

/** What a question in another language shares with the knowledge are meanings, and names letter by letter. */
function sharedWords(asked: string, knowledge: Section[]): string {
  const known = new Set(knowledge.flatMap(({ text }) => wordsOf(text)));
  const isShared = (word: string): boolean => known.has(word) || [...termsOf(word)].some(isConcept);
  return wordsOf(asked).filter(isShared).join(" ");
}

/** A text is written in another language than is spoken. */
export function isForeign(text: string, language: Language): boolean {
  return (languageOf(wordsOf(text)) ?? language) !== language;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
