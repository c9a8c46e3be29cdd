import { AppError } from "#platform";

/** A name or a label as it is stored: trimmed, not empty, on one line. */
export function oneLineText(text: string, what: string, mostCharacters: number): string {
  const kept = text.trim();
  if (kept === "") throw refused(what, "It is empty.");
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(kept))
    throw refused(what, "It holds line breaks or controls.");
  if (kept.length > mostCharacters) {
    throw refused(what, `It has ${kept.length} characters, at most ${mostCharacters} are kept.`);
  }
  return kept;
}

function refused(what: string, why: string): AppError {
  return new AppError("invalid_input", {
    what: `${what} was not taken.`,
    why,
    fix: "Give a short text on one line.",
  });
}
