/** What a language calls the things that are written as signs. */
export interface Tongue {
  code: string;
  /** Signs of addresses, and `+` before a phone number. */
  signs: Record<"@" | "." | "-" | "_" | "+" | "/", string>;
  percent: string;
  /** From 10 to 20. */
  to: string;
  /** For each month. */
  per: string;
  number: string;
  /** Of a long number: 1,000,000. */
  groupSign: string;
  decimalSign: string;
  currencies: Record<CurrencySign, Currency>;
  /** "29 dollars and 90 cents", from its two halves in words. */
  withCents(units: string, cents: number, currency: Currency): string;
  /** As written behind an amount: "Mio." is "Millionen". */
  scales: Record<string, string>;
  /** As written behind a slash: "mo" is "month". */
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

export function currency(one: string, many: string, cent: string, cents: string): Currency {
  return { one, many, cent, cents };
}
