import type { DropReason } from "../answer.ts";
import { factsIn, sentencesOf, Source } from "#language";
import type { Fact } from "#language";
import { knowledgeOf } from "./secrets.ts";
import type { Surroundings } from "./transcript.ts";

/** Keeps the sentences of a text that pass; undefined when none does. */
export type KeepProse = (
  text: string,
  language: string,
  where: string,
  options?: { toProspect: boolean },
) => string | undefined;

/**
 * Checks free text sentence by sentence. Its numbers, names, dates and addresses must have been
 * heard, or stand in the metadata or the agent's knowledge; and the prospect is not told, in the
 * rubric's own words, how they were judged.
 */
export function proseCheck({
  rubric,
  conversation,
  transcript,
  secrets,
  language: visitors,
  drop,
}: Surroundings): KeepProse {
  const { names, languages, recordLanguage } = rubric;
  const texts = [
    ...names,
    ...Object.entries(conversation.metadata).flat(),
    ...languages.flatMap((code) => [
      languageName(code, recordLanguage),
      languageName(code, visitors),
    ]),
  ];
  const known = [...transcript.turns, ...texts.map((text) => new Source(text))];
  // Knowledge may be megabytes long: it is read only for what stands nowhere else.
  const isKnown = (fact: Fact): boolean =>
    known.some((source) => source.holds(fact)) ||
    knowledgeOf(rubric.knowledge).some((source) => source.holds(fact));

  return (text, language, where, { toProspect } = { toProspect: false }) => {
    const kept = sentencesOf(text, language).filter((sentence, index) => {
      let fault: DropReason | undefined;
      if (!factsIn(sentence, language).every(isKnown)) fault = "ungrounded";
      else if (toProspect && secrets.areRepeatedIn(sentence)) fault = "repeats_the_rubric";
      else if (secrets.areLetOutBy(sentence)) fault = "repeats_the_rubric";
      return !drop(`${where}[${index}]`, fault);
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
