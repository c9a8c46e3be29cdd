import type { Words } from "@svc/contract/types";
import de from "@svc/contract/words/de.json" with { type: "json" };
import en from "@svc/contract/words/en.json" with { type: "json" };
import es from "@svc/contract/words/es.json" with { type: "json" };
import fr from "@svc/contract/words/fr.json" with { type: "json" };

/** A language of an agent, with the words that the agent brings for it. */
export interface WordedLanguage {
  code: string;
  words?: Words;
}

/**
 * Our texts in a language: the agent's own, or else the built-in ones, also for a region such as `de-CH`.
 * English where there are none.
 *
 * @param languages Those of the agent's version.
 */
export function wordsOf(languages: readonly WordedLanguage[], code: string): Words {
  const own = languages.find((language) => language.code === code)?.words;
  return own ?? builtInWords(code) ?? en;
}

/** Undefined for a language that is not built in. */
export function builtInWords(code: string): Words | undefined {
  const [base = ""] = code.toLowerCase().split("-", 1);
  return BUILT_IN.get(base);
}

const BUILT_IN: ReadonlyMap<string, Words> = new Map(
  [en, de, fr, es].map((words) => [words.language, words]),
);

/** Replaces placeholders such as `{name}`. */
export function fillWords(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
