/** Months and days by their names in one language, in small letters, as `month:3` and `day:2`. */
export function calendarOf(language: string): Map<string, string> {
  const names = calendars.get(language) ?? namesIn(language);
  calendars.set(language, names);
  return names;
}

const calendars = new Map<string, Map<string, string>>();

function namesIn(language: string): Map<string, string> {
  const names = new Map<string, string>();
  const learn = (key: string, date: Date, type: "month" | "weekday"): void => {
    // Some languages have another form beside a day: "marzec", but "15 marca".
    for (const options of [
      { [type]: "long" },
      { [type]: "long", day: "numeric" },
    ] as Intl.DateTimeFormatOptions[]) {
      const parts = new Intl.DateTimeFormat(language, {
        ...options,
        timeZone: "UTC",
      }).formatToParts(date);
      const name =
        parts
          .find((part) => part.type === type)
          ?.value.normalize("NFKC")
          .toLowerCase() ?? "";
      if (/^\p{L}/u.test(name) && !names.has(name)) names.set(name, key);
    }
  };
  for (let month = 0; month < 12; month++)
    learn(`month:${month + 1}`, new Date(Date.UTC(2026, month, 15)), "month");
  // The first of June 2026 is a Monday.
  for (let day = 1; day <= 7; day++)
    learn(`day:${day}`, new Date(Date.UTC(2026, 5, day)), "weekday");
  return names;
}

/** Whether a language writes months without a capital, so that "mars" may be one. */
export function hasSmallMonths(language: string): boolean {
  const isSmall =
    smallMonths.get(language) ??
    /^\p{Ll}/u.test(new Intl.DateTimeFormat(language, { month: "long" }).format(0));
  smallMonths.set(language, isSmall);
  return isSmall;
}

/** Kept, since a formatter costs more than everything else that is looked for in a sentence. */
const smallMonths = new Map<string, boolean>();

/** What a reader needs to tell when "next quarter" or "before Easter" is. */
export interface TalkCalendar {
  weekday: string;
  /** This month and the twelve behind it, such as `2027-01`, with its quarter. */
  months: { month: string; ahead: number; quarter: string }[];
  /** The next Easter Sunday of the western churches, which many other holidays hang on. */
  easter: string;
}

/** @param date such as 2026-11-16. */
export function calendarFrom(date: string): TalkCalendar {
  const day = new Date(`${date}T00:00:00Z`);
  const months = Array.from({ length: 13 }, (_, ahead) => {
    const first = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + ahead, 1));
    const quarter = `${first.getUTCFullYear()}-Q${Math.floor(first.getUTCMonth() / 3) + 1}`;
    return { month: first.toISOString().slice(0, 7), ahead, quarter };
  });
  const weekday = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" }).format(day);
  const [easter = ""] = [0, 1]
    .map((years) => easterOf(day.getUTCFullYear() + years))
    .filter((sunday) => sunday >= date);
  return { weekday, months, easter };
}

/** Meeus, Jones and Butcher's rule for the Gregorian calendar. */
function easterOf(year: number): string {
  const [golden, century, rest] = [year % 19, Math.floor(year / 100), year % 100];
  const moon =
    (19 * golden +
      century -
      Math.floor(century / 4) -
      Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3) +
      15) %
    30;
  const week = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - moon - (rest % 4)) % 7;
  const late = Math.floor((golden + 11 * moon + 22 * week) / 451);
  const days = moon + week - 7 * late + 114;
  return new Date(Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1))
    .toISOString()
    .slice(0, 10);
}
