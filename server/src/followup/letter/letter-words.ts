import type { LetterLanguage, LetterWords } from "./letter-language.ts";
import { words as de } from "./words/de.ts";
import { words as en } from "./words/en.ts";
import { words as es } from "./words/es.ts";
import { words as fr } from "./words/fr.ts";

/** The fixed texts of our mails in one language. */
export function letterWords(language: LetterLanguage): LetterWords {
  return { en, de, fr, es }[language];
}
