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
  const ours = builtInWords(code) ?? en;
  return own === undefined ? ours : completed(own, ours);
}

/** A version that was applied before a text was added lacks it: ours is better than a page that fails. */
function completed<T extends object>(own: T, ours: T): T {
  const entries = Object.entries(ours).map(([key, value]: [string, unknown]) => {
    const given: unknown = own[key as keyof T];
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return [key, given ?? value];
    return [key, completed(given ?? {}, value)];
  });
  return { ...own, ...Object.fromEntries(entries) };
}

/** Undefined for a language that is not built in. */
export function builtInWords(code: string): Words | undefined {
  const [base = ""] = code.toLowerCase().split("-", 1);
  return BUILT_IN.get(base);
}

const BUILT_IN: ReadonlyMap<string, Words> = new Map(
  [en, de, fr, es].map((words) => [words.language, words]),
);

/** "15 November 2026". In UTC, because we do not know the visitor's time zone. */
export function longDate(at: Date, { language }: Words): string {
  const locale = language === "en" ? "en-GB" : language;
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(at);
}

const RIGHT_TO_LEFT = new Set(["Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"]);

/** In which direction the texts are read, by the script that the language is usually written in. */
export function directionOf({ language }: Words): "ltr" | "rtl" {
  const { script = "" } = new Intl.Locale(language).maximize();
  return RIGHT_TO_LEFT.has(script) ? "rtl" : "ltr";
}

/** Replaces placeholders such as `{name}`. */
export function fillWords(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
