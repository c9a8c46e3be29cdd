import { factsIn, sentencesOf, Source } from "#language";
import type { Fact } from "#language";
import { itemsOf } from "../rubric-of.ts";
import { knowledgeOf } from "./secrets.ts";
import { inWords } from "./transcript.ts";
import type { Surroundings } from "./transcript.ts";

/** Keeps the sentences of a text that pass; undefined when none does. */
export type KeepProse = (
  text: string,
  language: string,
  where: string,
  options?: { toProspect: boolean },
) => string | undefined;

/**
 * Checks free text sentence by sentence. The conversation must show what it says; numbers, names, dates
 * and addresses that were not heard and stand neither in the metadata nor in a text of the owner's are
 * doubtful. The prospect is not told, in the rubric's own words, how they were judged.
 */
export function proseCheck({
  rubric,
  conversation,
  transcript,
  secrets,
  language: visitors,
  drop,
  isShown,
}: Surroundings): KeepProse {
  const { names, languages, recordLanguage, qualification } = rubric;
  const [questions, insights] = [rubric.questions, rubric.insights].map((list) =>
    list.map(({ text }) => text),
  ) as [string[], string[]];
  const criteria = itemsOf(qualification).map(({ text }) => text);
  const texts = [
    ...names,
    ...Object.entries(conversation.metadata).flat(),
    ...languages.flatMap((code) => [
      languageName(code, recordLanguage),
      languageName(code, visitors),
    ]),
  ];
  const known = [...transcript.turns, ...texts.map((text) => new Source(text))];
  // What the owner wrote may be repeated to the owner.
  const owners = [...questions, ...insights, ...criteria].map((text) => new Source(text));
  // Knowledge may be megabytes long: it is read only for what stands nowhere else.
  const isKnown = (fact: Fact): boolean =>
    known.some((source) => source.holds(fact)) ||
    knowledgeOf(rubric.knowledge).some((source) => source.holds(fact));

  return (text, language, where, { toProspect } = { toProspect: false }) => {
    const kept = sentencesOf(text, language).filter((sentence, index) => {
      const at = `${where}[${index}]`;
      const isSecret =
        (toProspect && secrets.areRepeatedIn(sentence)) || secrets.areLetOutBy(sentence);
      if (drop(at, isSecret ? "repeats_the_rubric" : undefined)) return false;
      return isShown(at, () => ({
        kind: toProspect ? "sentence_to_visitor" : "sentence_to_owner",
        says: sentence.trim(),
        quotes: [],
        notFound: factsIn(sentence, language).flatMap((fact) =>
          isKnown(fact) || (!toProspect && owners.some((source) => source.holds(fact)))
            ? []
            : inWords(fact),
        ),
      }));
    });
    return kept.join("").trim() || undefined;
  };
}

const languageNames = new Map<string, string>();

/** "German" for de in English: a summary may say which language was spoken. */
function languageName(code: string, inLanguage: string): string {
  const key = `${code} ${inLanguage}`;
  const name =
    languageNames.get(key) ??
    new Intl.DisplayNames(inLanguage, { type: "language" }).of(code) ??
    code;
  languageNames.set(key, name);
  return name;
}
