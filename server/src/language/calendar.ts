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
