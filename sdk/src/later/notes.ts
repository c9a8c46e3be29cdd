import { laterWords } from "./later-words.ts";

/** For whoever tries a page out: nobody else will hear of it. */
export function testNote(language: string): string {
  return laterWords(language).testSession;
}

/** For who was talking before the page was loaded anew. */
export function talkAgainNote(language: string): string {
  return laterWords(language).talkAgain;
}
