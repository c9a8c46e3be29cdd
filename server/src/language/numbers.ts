import { SPACED } from "./folding.ts";
import type { NumberWord, NumberWords } from "./number-words.ts";

export interface FoundNumber {
  /** Any of them is meant: the 3 in 2026-03-12 is a number and a month. */
  keys: string[];
  /** Zero and one in words: as often a manner of speaking as a number. */
  isLoose: boolean;
}

/**
 * Numbers in digits and in words, each in one form: "1,000", "1.000" and "a thousand" are `1000`.
 *
 * @param letters the text as `foldLetters` gives it.
 */
export function numbersIn(letters: string, wordOf: NumberWords): FoundNumber[] {
  const found: FoundNumber[] = [];
  let current: Spelled | undefined;
  const end = (): void => {
    if (current !== undefined) found.push(written(current));
    current = undefined;
  };
  for (const token of asciiDigits(letters).match(TOKEN) ?? []) {
    if (/^\d/.test(token)) {
      end();
      const parts = partsOf(token);
      if (parts.length > 1) found.push(...dateParts(parts));
      else current = { digits: parts[0], total: 0, group: Number(parts[0]), last: "" };
      continue;
    }
    const meaning = wordOf(token);
    if (meaning === undefined) end();
    else if (meaning !== "and") {
      const next = grown(current, token, meaning);
      if (next === undefined) end();
      current = next ?? grown(undefined, token, meaning);
    }
  }
  end();
  return found;
}

/** Digits with the signs that hold them together; a word; a sign that ends a number in words. */
const TOKEN = new RegExp(
  String.raw`(?<!${SPACED})\d+(?:[.,'’:\/\-]\d+| \d{3}(?!\d))*|${SPACED}+|[.,;:!?\n]`,
  "gv",
);

/** A number on its way: "two thousand | five hundred" is a total of 2000 and a group of 500. */
interface Spelled {
  /** The digits as written, until the value is changed: they may be more than a JavaScript number can hold. */
  digits: string | undefined;
  total: number;
  group: number | undefined;
  last: string;
}

function written({ digits, total, group = 0 }: Spelled): FoundNumber {
  // Without the errors of binary fractions: 1.1 million.
  const value = Number((total + group).toPrecision(15));
  return { keys: [digits ?? String(value)], isLoose: digits === undefined && value < 2 };
}

/** Undefined where the word begins a number of its own. */
function grown(
  current: Spelled | undefined,
  word: string,
  meaning: Exclude<NumberWord, "and">,
): Spelled | undefined {
  const { total = 0, group, digits } = current ?? {};
  const base = { digits: undefined, last: word };
  if ("times" in meaning) {
    if (current === undefined && meaning.needsNumber === true) return undefined;
    if (meaning.times > 100)
      return { ...base, total: total + (group ?? 1) * meaning.times, group: undefined };
    if (digits === undefined && (group ?? 1) < 100)
      return { ...base, total, group: (group ?? 1) * 100 };
    return undefined;
  }
  const { plus } = meaning;
  if (current === undefined || group === undefined) return { ...base, total, group: plus };
  // "quatre-vingts" is four times twenty.
  if (plus === 20 && current.last === "quatre") return { ...base, total, group: group + 76 };
  const isJoined = digits === undefined && mayFollow(group, plus, current.last);
  return isJoined ? { ...base, total, group: group + plus } : undefined;
}

function mayFollow(group: number, plus: number, last: string): boolean {
  const rest = group % 100;
  if (rest === 0) return group > 0 && plus < 100;
  if (last === "dix") return plus >= 7 && plus <= 9;
  if (plus >= 10) return plus < 20 && (rest === 60 || rest === 80);
  return rest >= 20 && rest % 10 === 0 && plus > 0;
}

/** "1.000.000" is one number, "12.03.2026", "10:30" and "5-10" are several. */
function partsOf(literal: string): string[] {
  return literal.split(/[:/-]/).flatMap((piece) => {
    const [, whole, , fraction = ""] = GROUPED.exec(piece) ?? DECIMAL.exec(piece) ?? [];
    if (whole === undefined) return piece.split(/\D/).map(withoutZeros);
    const rest = fraction.replace(/0+$/, "");
    return [withoutZeros(whole.replace(/\D/g, "")) + (rest === "" ? "" : `.${rest}`)];
  });
}

/** Three digits behind every sign: in no language is that a fraction more often than thousands. */
const GROUPED = /^([1-9]\d{0,2}([.,'’ ])\d{3}(?:\2\d{3})*)(?:[.,](\d+))?$/;
const DECIMAL = /^(\d+)([.,])(\d+)$/;

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, "");
}

function dateParts(parts: string[]): FoundNumber[] {
  return parts.map((part) => ({
    keys: parts.length === 3 && /^(?:[1-9]|1[0-2])$/.test(part) ? [part, `month:${part}`] : [part],
    isLoose: false,
  }));
}

/** Every script's own digits. They stand in tens, so that the ones before a digit tell its value. */
function asciiDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    const code = digit.codePointAt(0)!;
    let value = 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
    return String(value);
  });
}
