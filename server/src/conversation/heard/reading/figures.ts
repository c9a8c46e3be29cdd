import { DASH, NUMBER } from "./amount.ts";
import type { Rule } from "./rule.ts";
import type { Tongue } from "./tongue.ts";

/** "15 %", "5–10%", "3-4 weeks", "24/7", "#1". */
export function figureRules({ percent, to, number }: Tongue): Rule[] {
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
