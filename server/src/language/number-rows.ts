import { numbersIn, readable } from "./numbers.ts";
import type { FoundNumber } from "./numbers.ts";
import { fold } from "./folding.ts";
import type { Source } from "./source.ts";

const MIN_NUMBERS = 4;
const MIN_DIGITS = 7;
/** What people say between the digits of a telephone number. */
const BETWEEN = /^[^\p{L}\p{N}]{0,3}(?:(?:oh?|double|triple|doppel)[^\p{L}\p{N}]{0,3})?$/u;

/**
 * Returns whether a text has a telephone number, an account number or a code in digits or in number
 * words that stands in none of the sources as a whole. Its parts may each stand there: the digits of
 * a stranger's number are in every price list.
 */
export function hasForeignRow(text: string, language: string, sources: Source[]): boolean {
  const letters = readable(text);
  return [...new Set([language, ...LANGUAGES])]
    .flatMap((one) => rowsIn(letters, one))
    .some((row) => !sources.some((source) => source.letters.includes(row)));
}

/** Number words of the built-in languages, which may stand in a text of another one. */
const LANGUAGES = ["en", "de", "fr", "es"];

/** Folded, without spaces. */
function rowsIn(letters: string, language: string): string[] {
  const rows: FoundNumber[][] = [];
  for (const number of numbersIn(letters, language)) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (last !== undefined && BETWEEN.test(letters.slice(last.end, number.start)))
      row!.push(number);
    else rows.push([number]);
  }
  return rows
    .map((row) => ({ row, text: letters.slice(row[0]!.start, row.at(-1)!.end) }))
    .filter(
      ({ row, text }) =>
        row.length >= MIN_NUMBERS || text.replaceAll(/\D/g, "").length >= MIN_DIGITS,
    )
    .map(({ text }) => fold(text).replaceAll(" ", ""));
}
