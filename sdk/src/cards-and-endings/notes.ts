import type { LiveWarning } from "@svc/contract/types";
import { fill } from "../strings/strings.ts";
import { cardWords } from "./card-words.ts";

/** Tells whoever tries a page out that a test session is not delivered to anybody. */
export function testNote(language: string): string {
  return cardWords(language).testSession;
}

export function warningText({ warning, seconds_left }: LiveWarning, language: string): string {
  const { idleWarning, timeWarning } = cardWords(language);
  return warning === "idle"
    ? idleWarning
    : fill(timeWarning, { minutes: Math.ceil(seconds_left / 60) });
}
