import { cardWords } from "./card-words.ts";

/** For whoever tries a page out: nobody else will hear of it. */
export function testNote(language: string): string {
  return cardWords(language).testSession;
}
