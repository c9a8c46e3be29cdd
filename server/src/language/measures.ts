import { SPACED, UNSPACED } from "./folding.ts";

/** What a number counts. Other things than these are not told apart. */
export type Measure =
  | { kind: "money"; currencies: ReadonlySet<string> }
  | { kind: "share" }
  | { kind: "unit"; unit: string };

/** The names of currencies, of percent and of units in one language, from ICU. */
export class Measures {
  readonly #words = new Map<string, Measure>();
  /** Names in scripts without spaces, the longest first. */
  readonly #glued: [string, Measure][];

  constructor(language: string) {
    for (const unit of UNITS)
      for (const name of unitNames(language, unit)) this.#learn(name, { kind: "unit", unit });
    for (const variant of [language, ...SPELLINGS])
      for (const name of variant.startsWith(language) ? unitNames(variant, "percent") : [])
        this.#learn(name.replaceAll(/\s/g, ""), { kind: "share" });
    for (const [name, currencies] of currencyNames(language))
      this.#learn(name, { kind: "money", currencies });
    this.#glued = [...this.#words]
      .filter(([name]) => GLUED.test(name))
      .toSorted(([a], [b]) => b.length - a.length);
  }

  /** The measure of a number at this place of a text, as `readable` gives it. */
  of(text: string, start: number, end: number): Measure | undefined {
    return this.#behind(text, end) ?? this.#before(text, start);
  }

  /** Whether these are words for percent: a hundred stands in "pour cent". */
  isShare(words: string): boolean {
    return this.#words.get(words.replaceAll(/\s/g, ""))?.kind === "share";
  }

  #behind(text: string, end: number): Measure | undefined {
    const rest = text.slice(end, end + LONGEST);
    const sign = /^[,.]?[-–—]?\s?([%٪‰]|[\p{L}]{0,3}\p{Sc})/u.exec(rest)?.[1];
    if (sign !== undefined) return this.#sign(sign);
    const [, first = "", gap = "", second = ""] = WORDS.exec(rest) ?? [];
    if (first === "") return undefined;
    if (GLUED.test(first)) return this.#gluedAt(first);
    const isNear = gap !== "" && first.length > 3;
    return (
      this.#word(first) ??
      this.#word(first + second, "share") ??
      (isNear ? this.#word(second) : undefined)
    );
  }

  #before(text: string, start: number): Measure | undefined {
    const before = text.slice(Math.max(0, start - LONGEST), start);
    const [, sign] = /(?<![\p{N}\s]\s?)(%|(?<!\p{L})[\p{L}]{0,3}\p{Sc})\s?$/u.exec(before) ?? [];
    if (sign !== undefined) return this.#sign(sign);
    const [, other] = /(?<!\p{N}\s*)([%٪]|\p{Sc})\s?$/u.exec(before) ?? [];
    if (other !== undefined) return this.#sign(other);
    const [, word = ""] =
      /(?<!\p{N}[\s-]?)(?<!\p{L})(\p{L}[\p{L}\p{M}]+)[\s.]?$/u.exec(before) ?? [];
    const measure = word === "" ? undefined : this.#words.get(word);
    return measure?.kind === "unit" ? undefined : measure;
  }

  #sign(sign: string): Measure {
    if (/[%٪‰]/.test(sign)) return { kind: "share" };
    const currencies = symbols().get(sign) ?? symbols().get(sign.replace(/^\p{L}+/u, ""));
    return { kind: "money", currencies: currencies ?? new Set() };
  }

  /** "5営業日": what stands between the number and its unit is short. */
  #gluedAt(rest: string): Measure | undefined {
    for (const skipped of [0, 1, 2])
      for (const [name, measure] of this.#glued)
        if (rest.startsWith(name, skipped) && (skipped === 0 || measure.kind === "unit"))
          return measure;
    return undefined;
  }

  #word(word: string, kind?: Measure["kind"]): Measure | undefined {
    for (let cut = 0; cut <= 3 && word.length - cut >= 2; cut++) {
      if (cut > 0 && word.length - cut < 4) return undefined;
      const measure = this.#words.get(word.slice(0, word.length - cut));
      if (measure !== undefined && (kind === undefined || measure.kind === kind)) return measure;
    }
    return undefined;
  }

  #learn(name: string, measure: Measure): void {
    const key = name.normalize("NFKC").toLowerCase();
    const add = (word: string): void =>
      void (this.#words.has(word) || this.#words.set(word, measure));
    add(key);
    if (GLUED.test(key)) return;
    // "Lirası" is the lira of somebody.
    if (key.length >= 5) add(key.slice(0, -1));
    if (key.length >= 6 && /[aeiou]$/u.test(key.slice(0, -2))) add(key.slice(0, -2));
  }
}

const known = new Map<string, Measures>();

export function measuresOf(language: string): Measures {
  const measures = known.get(language) ?? new Measures(language);
  known.set(language, measures);
  return measures;
}

const LONGEST = 40;
const WORDS = new RegExp(
  String.raw`^[\s\u00AD\-]?([${UNSPACED}\p{scx=Hangul}]+|${SPACED}+)(?:([\s\-])(${SPACED}+))?`,
  "v",
);
const GLUED = new RegExp(String.raw`^[${UNSPACED}\p{scx=Hangul}]`, "v");

/** Regions that write "per cent" differently from the language as such. */
const SPELLINGS = ["en-GB", "pt-PT"];

const UNITS = [
  "second",
  "minute",
  "hour",
  "day",
  "week",
  "month",
  "year",
  "kilobyte",
  "megabyte",
  "gigabyte",
  "terabyte",
  "millimeter",
  "centimeter",
  "meter",
  "kilometer",
  "mile",
  "foot",
  "inch",
  "gram",
  "kilogram",
  "liter",
  "celsius",
];

/** What is paid with in most of the world. ICU knows historic ones too, whose names are words of their own. */
const CURRENCIES = (
  "EUR USD GBP CHF JPY CNY INR KRW PLN SEK NOK DKK ISK CZK HUF RON BGN TRY BRL MXN ARS CLP COP PEN CAD AUD NZD SGD HKD " +
  "THB VND IDR MYR PHP ZAR AED SAR EGP MAD NGN KES UAH RUB KZT PKR BDT"
).split(" ");

const COUNTS = [1, 1.5, 2, 5];

function unitNames(language: string, unit: string): string[] {
  // Short names of others are words: "in" is an inch.
  const displays = /byte|^kilo/.test(unit) ? (["long", "short"] as const) : (["long"] as const);
  const names = displays.flatMap((unitDisplay) => {
    const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay });
    return COUNTS.map((count) =>
      partOf(format, count, unit === "percent" ? /unit|percentSign|literal/ : /unit/),
    );
  });
  return [...new Set(names)].filter(
    (name) => GLUED.test(name) || /^\p{L}[\p{L}\p{M} ]+$/u.test(name),
  );
}

function partOf(format: Intl.NumberFormat, count: number, type: RegExp): string {
  const parts = format.formatToParts(count).filter((part) => type.test(part.type));
  return parts
    .map(({ value }) => value)
    .join("")
    .trim();
}

/** By the word that says what it is: "dollar" of "Canadian dollars", in whatever order a language has them. */
function currencyNames(language: string): Map<string, Set<string>> {
  const names = CURRENCIES.flatMap((currency) => {
    const format = new Intl.NumberFormat(language, {
      style: "currency",
      currency,
      currencyDisplay: "name",
    });
    return COUNTS.map(
      (count) =>
        [
          currency,
          partOf(format, count, /currency/)
            .toLowerCase()
            .split(/[\s-]/),
        ] as const,
    );
  });
  const wordsOf = (code: string): string[] =>
    names.find(([currency]) => currency === code)?.[1] ?? [];
  const isFirst = wordsOf("CAD")[0] === wordsOf("AUD")[0];
  const found = new Map<string, Set<string>>();
  const add = (name: string, code: string): void =>
    void found.set(name, (found.get(name) ?? new Set()).add(code));
  for (const [currency, words] of names) {
    const shared = words.find(
      (word) =>
        names.filter(([other, all]) => other !== currency && all.includes(word)).length > 1 &&
        wordsOf("CAD").includes(word),
    );
    add(shared ?? (isFirst ? words[0]! : words.at(-1)!), currency);
    add(currency.toLowerCase(), currency);
    add(words.join(""), currency);
  }
  // 加拿大元 and 澳大利亚元 are of one kind.
  const [one, other] = [wordsOf("CAD").join(""), wordsOf("AUD").join("")];
  const same = GLUED.test(one)
    ? Array.from(one).findLastIndex((sign, index, all) => sign !== other.at(index - all.length))
    : -1;
  if (same >= 0 && same < one.length - 1)
    for (const [code] of names) add(one.slice(same + 1), code);
  return found;
}

let signs: Map<string, Set<string>> | undefined;

function symbols(): Map<string, Set<string>> {
  if (signs !== undefined) return signs;
  signs = new Map();
  for (const currency of CURRENCIES)
    for (const currencyDisplay of ["narrowSymbol", "symbol"] as const) {
      const format = new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay });
      const symbol = partOf(format, 1, /currency/).toLowerCase();
      signs.set(symbol, (signs.get(symbol) ?? new Set()).add(currency));
    }
  return signs;
}
