import type { ReadingLocale } from "./reading-locale.ts";
import type { Rule } from "./rule.ts";

/** "15 %", "5–10%", "3-4 weeks", "24/7", "#1". */
export function figureRules({ percent, to, number }: ReadingLocale): Rule[] {
  return [
    {
      pattern: new RegExp(
        `(?<![\\p{L}\\p{N}.,])(${NUMBER})(?:${DASH}(${NUMBER}))?\\s?%(?![\\p{L}\\p{N}])`,
        "gu",
      ),
      say: ([, from, until]) => `${from}${until === undefined ? "" : ` ${to} ${until}`} ${percent}`,
    },
    {
      pattern: /(?<![\p{L}\p{N}.,/-])(\d{1,4})(\s?[–—]\s?|-)(\d{1,4})(?![\p{L}\p{N}/-]|[.,]\d)/gu,
      // 3-1 is a result, not a range.
      say: ([, from, , until]) =>
        Number(from) < Number(until) ? `${from} ${to} ${until}` : undefined,
    },
    { pattern: /(?<![\p{L}\p{N}.,/-])24\/7(?![\p{L}\p{N}/])/gu, say: () => "24 7" },
    { pattern: /(?<![\p{L}\p{N}#&])#(\d+)/gu, say: ([, digits]) => `${number} ${digits}` },
  ];
}

/**
 * For patterns: digits, with the signs that any language puts between them. No number has more groups; without
 * an end, a long row of them would be read again from each.
 */
export const NUMBER: string = String.raw`\d+(?:[.,'’\u{A0}\u{202F}]\d+| \d{3}(?!\d)){0,8}`;
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

export function sayAmount({ whole, fraction }: Amount, locale: ReadingLocale): string {
  const first = whole.slice(0, whole.length % 3);
  const groups = [first, ...(whole.slice(first.length).match(/\d{3}/gu) ?? [])];
  const units =
    whole.length > 4 ? groups.filter((group) => group !== "").join(locale.groupSign) : whole;
  return fraction === "" ? units : `${units}${locale.decimalSign}${fraction}`;
}

/** Digit by digit, with a pause between groups: a voice would make millions of them. */
export function phoneRules({ signs, readsPairs }: ReadingLocale): Rule[] {
  const say = ([written]: RegExpExecArray): string | undefined => {
    const groups = written.match(/\d+/gu) ?? [];
    const count = groups.join("").length;
    if (count < MIN_DIGITS || count > MAX_DIGITS) return undefined;
    const said = groups.map((group) =>
      readsPairs && group.length === 2 ? group : group.split("").join(" "),
    );
    return `${written.startsWith("+") ? `${signs["+"]} ` : ""}${said.join(", ")}`;
  };
  return [
    { pattern: /(?<![\p{L}\p{N}+])\+\d[\d\s().\-/]*\d(?![\p{L}\p{N}])/gu, say },
    { pattern: /(?<![\p{L}\p{N}.,/-])0\d{1,5}[ /-]{1,3}\d[\d -]*\d(?![\p{L}\p{N}.,/-]\d)/gu, say },
    {
      pattern: /(?<![\p{L}\p{N}-])(?:1-)?(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}(?![\p{L}\p{N}-])/gu,
      say,
    },
  ];
}

/** A number with fewer or more digits is not a telephone number. */
const MIN_DIGITS = 7;
const MAX_DIGITS = 15;
