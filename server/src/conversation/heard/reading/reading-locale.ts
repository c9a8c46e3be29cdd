/** The words of a language for things that are written as signs. */
export interface ReadingLocale {
  code: string;
  /** Signs of addresses, and `+` before a phone number. */
  signs: Record<"@" | "." | "-" | "_" | "+" | "/", string>;
  percent: string;
  /** From 10 to 20. */
  to: string;
  /** For each month. */
  per: string;
  number: string;
  /** The separator of thousands in a long number: 1,000,000. */
  groupSign: string;
  decimalSign: string;
  currencies: Record<CurrencySign, Currency>;
  /** "29 dollars and 90 cents", from its two halves in words. */
  withCents(units: string, cents: number, currency: Currency): string;
  /** The words for abbreviations behind an amount: "Mio." is "Millionen". */
  scales: Record<string, string>;
  /** The words for abbreviations behind a slash: "mo" is "month". */
  periods: Record<string, string>;
  /** Undefined where every voice reads 14:30 right. */
  time(hours: number, minutes: number): string | undefined;
  /** In 3/12/2026 the month is December. */
  isDayFirst: boolean;
  /** Phone numbers are read in pairs, and each pair as a number. */
  readsPairs: boolean;
}

export type CurrencySign = "$" | "€" | "£" | "¥" | "₹" | "CHF";

export interface Currency {
  one: string;
  many: string;
  cent: string;
  cents: string;
}

function currency(one: string, many: string, cent: string, cents: string): Currency {
  return { one, many, cent, cents };
}

const ENGLISH: ReadingLocale = {
  code: "en",
  signs: { "@": "at", ".": "dot", "-": "dash", _: "underscore", "+": "plus", "/": "slash" },
  percent: "percent",
  to: "to",
  per: "per",
  number: "number",
  groupSign: ",",
  decimalSign: ".",
  currencies: {
    $: currency("dollar", "dollars", "cent", "cents"),
    "€": currency("euro", "euros", "cent", "cents"),
    "£": currency("pound", "pounds", "penny", "pence"),
    "¥": currency("yen", "yen", "sen", "sen"),
    "₹": currency("rupee", "rupees", "paisa", "paise"),
    CHF: currency("Swiss franc", "Swiss francs", "centime", "centimes"),
  },
  withCents: (units, count, { cent, cents }) =>
    `${units} and ${count} ${count === 1 ? cent : cents}`,
  scales: {
    k: "thousand",
    K: "thousand",
    thousand: "thousand",
    m: "million",
    M: "million",
    million: "million",
    bn: "billion",
    B: "billion",
    billion: "billion",
  },
  periods: { mo: "month", yr: "year", hr: "hour", h: "hour" },
  time(hours, minutes) {
    if (minutes === 0 && hours > 0 && hours <= 12) return `${hours} o'clock`;
    return minutes >= 10 ? `${hours} ${minutes}` : undefined;
  },
  isDayFirst: false,
  readsPairs: false,
};

const GERMAN: ReadingLocale = {
  code: "de",
  // "at" would be read as a German word.
  signs: {
    "@": "ät",
    ".": "Punkt",
    "-": "Minus",
    _: "Unterstrich",
    "+": "plus",
    "/": "Schrägstrich",
  },
  percent: "Prozent",
  to: "bis",
  per: "pro",
  number: "Nummer",
  groupSign: ".",
  decimalSign: ",",
  currencies: {
    $: currency("Dollar", "Dollar", "Cent", "Cent"),
    "€": currency("Euro", "Euro", "Cent", "Cent"),
    "£": currency("Pfund", "Pfund", "Penny", "Pence"),
    "¥": currency("Yen", "Yen", "Sen", "Sen"),
    "₹": currency("Rupie", "Rupien", "Paisa", "Paise"),
    CHF: currency("Franken", "Franken", "Rappen", "Rappen"),
  },
  withCents: (units, count) => `${units} ${count}`,
  scales: {
    k: "tausend",
    "Tsd.": "tausend",
    Tausend: "tausend",
    tausend: "tausend",
    M: "Millionen",
    "Mio.": "Millionen",
    Mio: "Millionen",
    Millionen: "Millionen",
    "Mrd.": "Milliarden",
    Mrd: "Milliarden",
    Milliarden: "Milliarden",
  },
  periods: {},
  time: (hours, minutes) => `${hours} Uhr${minutes === 0 ? "" : ` ${minutes}`}`,
  isDayFirst: true,
  readsPairs: false,
};

const FRENCH: ReadingLocale = {
  code: "fr",
  signs: {
    "@": "arobase",
    ".": "point",
    "-": "tiret",
    _: "tiret bas",
    "+": "plus",
    "/": "slash",
  },
  percent: "pour cent",
  to: "à",
  per: "par",
  number: "numéro",
  groupSign: " ",
  decimalSign: ",",
  currencies: {
    $: currency("dollar", "dollars", "cent", "cents"),
    "€": currency("euro", "euros", "centime", "centimes"),
    "£": currency("livre", "livres", "penny", "pence"),
    "¥": currency("yen", "yens", "sen", "sen"),
    "₹": currency("roupie", "roupies", "paisa", "paisas"),
    CHF: currency("franc suisse", "francs suisses", "centime", "centimes"),
  },
  withCents: (units, count) => `${units} ${count}`,
  scales: {
    k: "mille",
    mille: "mille",
    M: "millions de",
    million: "million de",
    millions: "millions de",
    Md: "milliards de",
    milliards: "milliards de",
  },
  periods: {},
  time(hours, minutes) {
    const name = hours < 2 ? "heure" : "heures";
    return `${hours} ${name}${minutes === 0 ? "" : ` ${minutes}`}`;
  },
  isDayFirst: true,
  readsPairs: true,
};

const SPANISH: ReadingLocale = {
  code: "es",
  signs: {
    "@": "arroba",
    ".": "punto",
    "-": "guion",
    _: "guion bajo",
    "+": "más",
    "/": "barra",
  },
  percent: "por ciento",
  to: "a",
  per: "por",
  number: "número",
  groupSign: ".",
  decimalSign: ",",
  currencies: {
    $: currency("dólar", "dólares", "centavo", "centavos"),
    "€": currency("euro", "euros", "céntimo", "céntimos"),
    "£": currency("libra", "libras", "penique", "peniques"),
    "¥": currency("yen", "yenes", "sen", "sen"),
    "₹": currency("rupia", "rupias", "paisa", "paisas"),
    CHF: currency("franco suizo", "francos suizos", "céntimo", "céntimos"),
  },
  withCents: (units, count) => `${units} con ${count}`,
  scales: {
    k: "mil",
    mil: "mil",
    M: "millones de",
    millón: "millón de",
    millones: "millones de",
  },
  periods: {},
  time: (hours, minutes) => (minutes === 0 ? `${hours}` : `${hours} y ${minutes}`),
  isDayFirst: true,
  readsPairs: false,
};

/** Undefined for a language whose words we do not know. */
export function readingLocaleOf(language: string): ReadingLocale | undefined {
  const [base] = language.toLowerCase().split("-");
  return LOCALES.find(({ code }) => code === base);
}

const LOCALES: ReadingLocale[] = [ENGLISH, GERMAN, FRENCH, SPANISH];
