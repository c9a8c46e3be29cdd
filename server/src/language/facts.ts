import { calendarOf, hasSmallMonths } from "./calendar.ts";
import { fold, UNSPACED } from "./folding.ts";
import { namesIn } from "./names.ts";
import { numberKeysIn } from "./numbers.ts";

/** Something in a text that must come from somewhere: any of its words, or any of its numbers. */
export interface Fact {
  /** Folded, as they are looked for: a space at the end means that the word ends there. */
  words: string[];
  /** The numbers in the notation of `numberKeysIn` and `calendarOf`. */
  numbers: string[];
  /** The language whose number words and months they were read by. */
  language?: string;
}

/**
 * Numbers, names, dates and addresses, and single letters in a row, which may spell a secret.
 *
 * @param language the one the text is written in: it decides what a capital means, and which words
 * are numbers.
 */
export function factsIn(text: string, language: string): Fact[] {
  const [base = language] = language.split("-");
  const { facts, rest } = figuresAndRest(text, base);
  for (const { name, mayBePlain } of namesIn(rest, base)) {
    const forms = [` ${name} `];
    // "CRMs", "Adas": but "OS" is no plural.
    if (name.length > 3 && name.endsWith("s")) forms.push(` ${name.slice(0, -1)} `);
    if (mayBePlain) forms.push(` ${name}s `);
    // "Prices" may open a sentence about a price.
    if (mayBePlain && name.length > 4)
      forms.push(` ${name.slice(0, Math.max(5, name.length - 2))}`);
    facts.push({ words: forms, numbers: [] });
  }
  return facts;
}

/** The same without names. */
export function figuresIn(text: string, language: string): Fact[] {
  const [base = language] = language.split("-");
  return figuresAndRest(text, base).facts;
}

/** With what the text is when addresses and spelled words are taken out. */
function figuresAndRest(text: string, base: string): { facts: Fact[]; rest: string } {
  const facts: Fact[] = [];
  const words = (alternative: string): void =>
    void facts.push({ words: [alternative], numbers: [] });

  const { addresses, rest: unaddressed } = addressesIn(text);
  for (const address of addresses) words(fold(address));
  const rest = unaddressed.replace(SPELLED, (letters) => {
    words(fold(letters));
    return "_";
  });
  for (const { keys, isLoose } of numberKeysIn(rest, base))
    if (!isLoose) facts.push({ words: [], numbers: keys, language: base });
  const calendar = calendarOf(base);
  // In English a small "may" or "march" is no month.
  for (const word of rest.match(hasSmallMonths(base) ? /\p{L}+/gu : /\p{Lu}\p{L}+/gu) ?? []) {
    const key = calendar.get(word.toLowerCase());
    if (key !== undefined) facts.push({ words: [], numbers: [key], language: base });
  }
  return { facts, rest };
}

/** Mail addresses, URLs and host names, without their scheme, and the text without them. */
export function addressesIn(text: string): { addresses: string[]; rest: string } {
  const addresses: string[] = [];
  const plain = text.normalize("NFKC");
  if (!ADDRESS.test(plain)) return { addresses, rest: plain };
  const rest = plain.replace(CHUNK, (chunk) => {
    if (!ADDRESS.test(chunk)) return chunk;
    addresses.push(chunk.replace(/^\w+:\/\//, "").replace(/^www\./i, ""));
    return "_";
  });
  return { addresses, rest };
}

/** The text between spaces, brackets, commas and characters of scripts that are written without spaces. */
const CHUNK = new RegExp(String.raw`[^\s<>\(\)\[\]\{\}"'“”„«»,;${UNSPACED}]+`, "gv");

/** A mail address, a URL or a host name. */
const ADDRESS = /[\p{L}\p{N}](?:@|:\/\/|\.(?=\p{L}{2}))[\p{L}\p{N}]/u;

/** Three or more, but not "y a-t-il" or "il n'y a": letters that are words. */
const SPELLED =
  /(?<![\p{L}\p{M}\p{N}'’])(?!y a-t\b)\p{L}(?:[\s.,_-]{1,2}\p{L}(?![\p{L}\p{M}\p{N}'’])){2,}/giu;
