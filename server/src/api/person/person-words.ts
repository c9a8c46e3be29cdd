import type { LetterLanguage } from "#followup";
import { words as de } from "./words/de.ts";
import { words as en } from "./words/en.ts";
import { words as es } from "./words/es.ts";
import { words as fr } from "./words/fr.ts";
import type { PersonWords } from "./words/words.ts";

/** What the pages behind a mail's links say, in a language. */
export function personWords(language: LetterLanguage): PersonWords {
  return { en, de, fr, es }[language];
}
