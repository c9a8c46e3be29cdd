/** The languages in which we write to people ourselves. */
export type LetterLanguage = "en" | "de" | "fr" | "es";

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

/** The one for a visitor who spoke this language; English where we do not write it. */
export function letterLanguage(code: string): LetterLanguage {
  const [base = ""] = code.toLowerCase().split("-");
  return isWritten(base) ? base : "en";
}

/** "15 November 2026". The day is UTC's: where a visitor was is not known. */
export function letterDate(at: Date, language: LetterLanguage): string {
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    dateStyle: "long",
    timeZone: "UTC",
  }).format(at);
}

const WRITTEN: readonly string[] = ["en", "de", "fr", "es"] satisfies LetterLanguage[];

function isWritten(base: string): base is LetterLanguage {
  return WRITTEN.includes(base);
}
