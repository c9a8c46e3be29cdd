import type { Rule } from "./rule.ts";
import type { ReadingLocale } from "./reading-locale.ts";

/** "2026-11-15", "15.11.2026", and "14:30" with the word that follows it. */
export function calendarRules(locale: ReadingLocale): Rule[] {
  const say = (year = "", month = "", day = ""): string | undefined =>
    sayDate(Number(year), Number(month), Number(day), locale);
  const dates: Rule[] = [
    {
      pattern: /(?<![\p{L}\p{N}-])(\d{4})-(\d{2})-(\d{2})(?![\p{L}\p{N}-])/gu,
      say: ([, year, month, day]) => say(year, month, day),
    },
  ];
  if (locale.isDayFirst)
    dates.push({
      pattern: /(?<![\p{L}\p{N}./])(\d{1,2})([./])(\d{1,2})\2(\d{4})(?![\p{L}\p{N}/])/gu,
      say: ([, day, , month, year]) => say(year, month, day),
    });
  return [
    ...dates,
    {
      pattern:
        /(?<![\p{L}\p{N}:.,])(\d{1,2})(?::|h(?=\d))(\d{2})(?:\s?(?:Uhr|h|heures)(?!\p{L}))?(?![\p{L}\p{N}:]|\s?[ap]\.?m)/gu,
      say: ([, hours, minutes]) => sayTime(Number(hours), Number(minutes), locale),
    },
  ];
}

function sayDate(
  year: number,
  month: number,
  day: number,
  { code }: ReadingLocale,
): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return new Intl.DateTimeFormat(code, { dateStyle: "long", timeZone: "UTC" }).format(date);
}

function sayTime(hours: number, minutes: number, { time }: ReadingLocale): string | undefined {
  return hours < 24 && minutes < 60 ? time(hours, minutes) : undefined;
}
