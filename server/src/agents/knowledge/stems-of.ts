import type { Db } from "#platform";
import { selectStems } from "./knowledge-store.ts";

/** The forms by which each word is found in these languages; none for a word that says nothing, such as "the". */
export async function stemsOf(
  db: Db,
  words: string[],
  languages: string[],
): Promise<Map<string, string[]>> {
  return selectStems(db, words, [...new Set(languages.map(dictionaryOf))]);
}

function dictionaryOf(language: string): string {
  return DICTIONARIES.get(language.split("-")[0] ?? "") ?? "simple";
}

/** Those of every PostgreSQL that is supported; other languages are searched by whole words. */
const DICTIONARIES = new Map(
  Object.entries({
    ar: "arabic",
    da: "danish",
    de: "german",
    el: "greek",
    en: "english",
    es: "spanish",
    fi: "finnish",
    fr: "french",
    hu: "hungarian",
    id: "indonesian",
    it: "italian",
    lt: "lithuanian",
    nb: "norwegian",
    nl: "dutch",
    no: "norwegian",
    pt: "portuguese",
    ro: "romanian",
    ru: "russian",
    sv: "swedish",
    tr: "turkish",
  }).map(([code, name]) => [code, `${name}_stem`]),
);
