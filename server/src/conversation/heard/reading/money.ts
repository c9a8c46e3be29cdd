import { amountOf, DASH, NUMBER, sayAmount } from "./figures.ts";
import type { Amount } from "./figures.ts";
import type { Rule } from "./rule.ts";
import type { Currency, CurrencySign, ReadingLocale } from "./reading-locale.ts";

const SIGN = String.raw`(?:(?:US|CA|AU|[ACN]|NZ)?\$|[€£¥₹]|EUR|USD|GBP|CHF)`;

/** "$29", "29,90 €", "$10–20", "€1.5M", "$29/user/mo". */
export function moneyRules(locale: ReadingLocale): Rule[] {
  const scales = Object.keys(locale.scales)
    .toSorted((one, other) => other.length - one.length)
    .map((scale) => scale.replaceAll(".", String.raw`\.`));
  const scale = String.raw`(?:\s?(?<scale>${scales.join("|")})(?![\p{L}\p{N}]))?`;
  const periods = String.raw`(?<periods>(?:\s?\/\s?\p{L}+)*)`;
  const range = `(?<from>${NUMBER})(?:${DASH}${SIGN}?\\s?(?<to>${NUMBER}))?`;
  // In "10 M€" a sign follows at once.
  const scaleBefore = scale.replace(String.raw`(?![\p{L}\p{N}])`, "");
  const before = `(?<![\\p{L}\\p{N}])(?<sign>${SIGN})\\s?${range}${scale}${periods}`;
  const behind = `(?<![\\p{L}\\p{N}.,])${range}${scaleBefore}\\s?(?<sign>${SIGN})(?![\\p{L}\\p{N}])${periods}`;
  const say = (match: RegExpExecArray): string => sayMoney(match.groups ?? {}, locale);
  return [
    { pattern: new RegExp(before, "gu"), say },
    { pattern: new RegExp(behind, "gu"), say },
  ];
}

function sayMoney(parts: Record<string, string | undefined>, locale: ReadingLocale): string {
  const currency = locale.currencies[signOf(parts["sign"] ?? "")];
  const from = amountOf(parts["from"] ?? "");
  const scale = locale.scales[parts["scale"] ?? ""];
  const to = parts["to"] === undefined ? undefined : amountOf(parts["to"]);
  return sum(from, { to, scale, currency, locale }) + sayPeriods(parts["periods"] ?? "", locale);
}

function sum(
  from: Amount,
  {
    to,
    scale,
    currency,
    locale,
  }: {
    to: Amount | undefined;
    scale: string | undefined;
    currency: Currency;
    locale: ReadingLocale;
  },
): string {
  const range = to === undefined ? "" : ` ${locale.to} ${sayAmount(to, locale)}`;
  if (scale !== undefined)
    return `${sayAmount(from, locale)}${range} ${scale} ${currency.many}`.replace(" de e", " d'e");
  if (range !== "" || from.fraction.length === 1 || from.fraction.length > 2)
    return `${sayAmount(from, locale)}${range} ${currency.many}`;

  const cents = Number(from.fraction);
  if (cents > 0 && Number(from.whole) === 0)
    return `${cents} ${cents === 1 ? currency.cent : currency.cents}`;
  const whole = sayAmount({ whole: from.whole, fraction: "" }, locale);
  const units = `${whole} ${from.whole === "1" ? currency.one : currency.many}`;
  return cents === 0 ? units : locale.withCents(units, cents, currency);
}

function sayPeriods(periods: string, { per, periods: names }: ReadingLocale): string {
  return periods
    .split("/")
    .map((period) => period.trim())
    .filter((period) => period !== "")
    .map((period) => ` ${per} ${names[period] ?? period}`)
    .join("");
}

function signOf(written: string): CurrencySign {
  if (written === "CHF") return "CHF";
  if (written === "EUR" || written === "€") return "€";
  if (written === "GBP" || written === "£") return "£";
  return written === "¥" || written === "₹" ? written : "$";
}
