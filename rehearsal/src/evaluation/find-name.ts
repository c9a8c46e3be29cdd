import type { Value } from "./answer.ts";
import type { EvaluationDocument } from "./document.ts";

/** The visitor's name: as they gave it, else as the page did. */
export function findName({ transcript, metadata }: EvaluationDocument): Value | null {
  for (const { turn, role, heard } of transcript) {
    const match = role === "user" ? introduction.exec(heard) : null;
    if (match !== null) return { turn, quote: match[0], value: match[1]! };
  }
  const known = new Map(Object.entries(metadata));
  const value = metadataKeys.map((key) => known.get(key)?.trim()).find(Boolean);
  return value === undefined ? null : { turn: 0, quote: value, value };
}

/** "I am …" is not here: what follows is as often a trade, a place or a mood. */
export const introduction: RegExp =
  /(?:[Mm]y name is|[Ii] am called|[Ii]ch heiße|[Mm]ein Name ist|[Jj]e m['’]appelle|[Mm]e llamo|[Mm]i nombre es) ((?:\p{Lu}[\p{L}'’-]+)(?: \p{Lu}[\p{L}'’-]+){0,2})/u;

const metadataKeys = ["name", "full_name", "fullName", "first_name", "firstName"];
