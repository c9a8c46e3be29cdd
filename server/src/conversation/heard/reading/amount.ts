import type { Tongue } from "./tongue.ts";

/** For patterns: digits, with the signs that any language puts between them. */
export const NUMBER: string = String.raw`\d+(?:[.,'’\u{A0}\u{202F}]\d+| \d{3}(?!\d))*`;
export const DASH: string = String.raw`\s?[-–—]\s?`;

export interface Amount {
  whole: string;
  fraction: string;
}

/** Three digits behind a sign are thousands, fewer are a fraction: whatever language it was written in. */
export function amountOf(written: string): Amount {
  const [, wholePart = written, , fraction = ""] =
    /^(.*)([.,])(\d{1,2}|(?<=^0[.,])\d+)$/u.exec(written) ?? [];
  return { whole: wholePart.replaceAll(/\D/gu, ""), fraction };
}

export function sayAmount({ whole, fraction }: Amount, tongue: Tongue): string {
  const units =
    whole.length > 4 ? whole.replaceAll(/\B(?=(?:\d{3})+$)/gu, tongue.groupSign) : whole;
  return fraction === "" ? units : `${units}${tongue.decimalSign}${fraction}`;
}
