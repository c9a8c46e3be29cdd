import type { LetterLanguage } from "./letter-language.ts";
import { words as de } from "./words/de.ts";
import { words as en } from "./words/en.ts";
import { words as es } from "./words/es.ts";
import { words as fr } from "./words/fr.ts";

/** All that our mails say by themselves. */
export interface LetterWords {
  followUp: {
    /** Subject and heading. */
    subject(brand: string): string;
    thanks(agent: string, brand: string): string;
    byAi: string;
    /** When nothing of the summary could be kept. */
    noSummary: string;
    rights: string;
    why(brand: string, date: string): string;
    notYou: string;
    unsubscribe(brand: string): string;
  };
  deletion: {
    subject: { conversation(brand: string): string; everything(brand: string): string };
    conversation(brand: string, date: string): string;
    everything(brand: string, date: string): string;
    /** What our deleting does not reach. */
    copies(brand: string): string;
    receipt: string;
    last: string;
  };
}

export function letterWords(language: LetterLanguage): LetterWords {
  return { en, de, fr, es }[language];
}
