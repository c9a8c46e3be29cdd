import type { LiveWarning } from "@svc/contract/types";
import { fill } from "../strings/strings.ts";
import { cardWords } from "./card-words.ts";

/** For whoever tries a page out: nobody else will hear of it. */
export function testNote(language: string): string {
  return cardWords(language).testSession;
}

export function warningText({ warning, seconds_left }: LiveWarning, language: string): string {
  const { idleWarning, timeWarning } = cardWords(language);
  return warning === "idle"
    ? idleWarning
    : fill(timeWarning, { minutes: Math.ceil(seconds_left / 60) });
}
