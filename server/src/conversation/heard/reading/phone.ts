import type { Rule } from "./rule.ts";
import type { Tongue } from "./tongue.ts";

/** Digit by digit, with a pause between groups: a voice would make millions of them. */
export function phoneRules({ signs, readsPairs }: Tongue): Rule[] {
  const say = ([written]: RegExpExecArray): string | undefined => {
    const groups = written.match(/\d+/gu) ?? [];
    const count = groups.join("").length;
    if (count < FEWEST_DIGITS || count > MOST_DIGITS) return undefined;
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

/** What is shorter or longer is another number. */
const FEWEST_DIGITS = 7;
const MOST_DIGITS = 15;
