import { foldWord } from "./folding.ts";

/** Months and days by their names in one language, as `month:3` and `day:2`. None where it is not known. */
export function calendarOf(language: string): Map<string, string> {
  return calendars.get(language) ?? new Map<string, string>();
}

function namesIn(language: string): Map<string, string> {
  const named = (options: Intl.DateTimeFormatOptions, date: Date): string =>
    foldWord(new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }).format(date));
  const months = Array.from({ length: 12 }, (_, month): [string, string] => [
    named({ month: "long" }, new Date(Date.UTC(2026, month, 15))),
    `month:${month + 1}`,
  ]);
  // The first of June 2026 is a Monday.
  const days = Array.from({ length: 7 }, (_, day): [string, string] => [
    named({ weekday: "long" }, new Date(Date.UTC(2026, 5, 1 + day))),
    `day:${day + 1}`,
  ]);
  return new Map([...months, ...days]);
}

const calendars = new Map(
  ["en", "de", "fr", "es"].map((language) => [language, namesIn(language)]),
);

/** In all languages together: what was heard in one is written down in another. */
export const anyCalendar: Map<string, string> = new Map(
  [...calendars.values()].flatMap((names) => [...names]),
);
