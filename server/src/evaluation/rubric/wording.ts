import * as z from "zod";

/**
 * What a free text must and must not say. An entry is a phrase, or several with `|` between them of which one is
 * enough; `*` at the end of a phrase lets its last word go on. Case, accents and punctuation do not count.
 */
export interface Wording {
  says: string[];
  never: string[];
}

/** YAML reads a bare 12 as a number. */
const phrase = z.union([z.string().min(1), z.number()]).transform(String);

export const Wording: z.ZodType<Wording> = z.strictObject({
  says: z.array(phrase).min(1),
  never: z.array(phrase).default([]),
});

/** No wording fits no text, and nothing else. */
export function fits(wording: Wording | undefined, text: string | undefined): boolean {
  if (wording === undefined || text === undefined)
    return wording === undefined && text === undefined;
  const words = ` ${folded(text)} `;
  const isSaid = (entry: string): boolean => entry.split("|").some((one) => occurs(one, words));
  return wording.says.every(isSaid) && !wording.never.some(isSaid);
}

/** `"12|twelve", never "20"` */
export function inWords(wording: Wording | undefined): string {
  if (wording === undefined) return "nothing";
  const quoted = (entries: string[]): string => entries.map((entry) => `"${entry}"`).join(", ");
  const { says, never } = wording;
  return never.length === 0 ? quoted(says) : `${quoted(says)}, never ${quoted(never)}`;
}

function occurs(one: string, words: string): boolean {
  return words.includes(` ${folded(one)}${one.endsWith("*") ? "" : " "}`);
}

function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
