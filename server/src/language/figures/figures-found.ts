import { calendarOf, hasSmallMonths } from "../calendar.ts";
import { measuresOf } from "../measures.ts";
import { MOST_JOINED, numbersIn, readable } from "../numbers.ts";
import type { Measure } from "../measures.ts";
import type { FoundNumber } from "../numbers.ts";

/** A number, date or time in a sentence. */
export interface Figure {
  /** As it is written, without its unit. */
  text: string;
  /** Where it begins in the text; -1 for a date. */
  start: number;
  /** `12.5`; `9:30`; `date:3-15`, `month:3`, `day:1` for a Monday. Any of them is meant. */
  keys: string[];
  kind: "number" | "time" | "date";
  measure: Measure | undefined;
  isWord: boolean;
  /** An unknown compound: only the same word can tell what it means. */
  isUndecided: boolean;
  /** It fills a cell of a table, whose head may say what it counts. */
  isCell: boolean;
}

/**
 * All figures of a text that has no addresses, read in one language.
 *
 * @param isSource who types in haste writes "july".
 */
export function figuresFound(
  text: string,
  language: string,
  { isSource = false }: { isSource?: boolean } = {},
): Figure[] {
  const letters = readable(text);
  const numbers = numbersIn(letters, language);
  const { figures, used } = datesAmong(
    isSource ? letters : text,
    letters,
    numbers,
    language,
    isSource,
  );
  const measures = measuresOf(language);
  const last = new Map(numbers.map((number) => [number.joined, number]));
  for (const [index, number] of numbers.entries()) {
    const { start, end, keys, isWord, isUndecided, joined } = number;
    if (used.has(number) || isAllDay(joined?.text)) continue;
    if (isWord && measures.isShare(letters.slice(numbers[index - 1]?.end ?? end, end))) continue;
    const time = timeOf(number);
    if (time !== undefined) {
      if (numbers[index - 1]?.joined !== joined)
        figures.push({ ...PLAIN, text: joined!.text, keys: time, kind: "time" });
      continue;
    }
    const { start: from, end: to } = joined === undefined ? number : (last.get(joined) ?? number);
    // "The first real day" counts no money.
    const isCount = !number.isOrdinal && !(isWord && Number(keys[0]) === 1);
    const measure = !isCount
      ? undefined
      : measures.of(letters, joined === undefined ? start : from, to);
    // 万一 and 백업 only begin like numbers, and so does 十分.
    const isMeasured =
      measure !== undefined &&
      (measure.kind !== "unit" || measures.of(letters.slice(0, end + 1), start, end) === undefined);
    if (number.isBare && !isMeasured && GLUED.test(letters[end] ?? "")) continue;
    const isCell =
      CELL_START.test(letters.slice(Math.max(0, start - 3), start)) &&
      CELL_END.test(letters.slice(end, end + 3));
    figures.push({
      ...PLAIN,
      text: letters.slice(start, end),
      start,
      keys,
      kind: "number",
      measure,
      isWord,
      isUndecided,
      isCell,
    });
  }
  return figures;
}

const PLAIN = { start: -1, measure: undefined, isWord: false, isUndecided: false, isCell: false };
const GLUED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;
const CELL_START = /(?:^|[|\t\n"]\s?|\S,)$/;
const CELL_END = /^(?:$|\s?[|\t\n"]|,\S)/;

/** An idiom in every language. */
function isAllDay(text: string | undefined): boolean {
  return text === "24/7" || text === "24/7/365";
}

function timeOf({ joined }: FoundNumber): string[] | undefined {
  if (joined === undefined || !/^\d{1,2}:\d{2}$/.test(joined.text)) return undefined;
  const [hour = "", minute = ""] = joined.text.split(":");
  return Number(minute) === 0 ? [`${Number(hour)}`] : [`${Number(hour)}:${minute}`];
}

/** Dates, months and days of the week, and the numbers that they are made of. */
function datesAmong(
  text: string,
  letters: string,
  numbers: FoundNumber[],
  language: string,
  isSource: boolean,
): { figures: Figure[]; used: Set<FoundNumber> } {
  const figures: Figure[] = [];
  const used = new Set<FoundNumber>();
  const add = (written: string, keys: string[], ...parts: (FoundNumber | undefined)[]): void => {
    figures.push({ ...PLAIN, text: written, keys, kind: "date" });
    for (const part of parts) if (part !== undefined) used.add(part);
  };
  for (const [index, number] of numbers.entries()) {
    const keys = used.has(number) ? [] : writtenDate(number, letters, language);
    if (keys.length > 0)
      add(
        number.joined?.text ?? letters.slice(number.start, number.end),
        keys,
        number,
        ...numbers
          .slice(Math.max(0, index - MOST_JOINED), index + MOST_JOINED)
          .filter(({ joined }) => joined !== undefined && joined === number.joined),
      );
  }

  // 12月3日, 3월.
  const { month: monthSign, day: daySign } = signsOf(language);
  for (const [index, number] of numbers.entries()) {
    const month = Number(number.keys[0]);
    if (
      monthSign === undefined ||
      !letters.startsWith(monthSign, number.end) ||
      !(month >= 1 && month <= 12)
    )
      continue;
    const next = numbers[index + 1];
    const isDay =
      next !== undefined &&
      next.start - number.end <= monthSign.length + 1 &&
      letters.startsWith(daySign ?? "日", next.end);
    const end = isDay ? next.end + 1 : number.end + monthSign.length;
    add(
      letters.slice(number.start, end),
      isDay ? [`date:${month}-${next.keys[0]}`] : [`month:${month}`],
      number,
      isDay ? next : undefined,
    );
  }

  const calendar = calendarOf(language);
  // In English a small "may" or "march" is no month, and "May" at the start may be a verb.
  const mustBeCapital = !isSource && !hasSmallMonths(language);
  const plain = text.normalize("NFKC");
  let near = 0;
  for (const { 0: word, index } of letters.matchAll(/[\p{L}\p{M}]+/gu)) {
    const key = calendar.get(word) ?? gluedDay(word, calendar);
    if (key === undefined) continue;
    while (near < numbers.length && numbers[near]!.end + FARTHEST < index) near += 1;
    const written =
      plain.length === letters.length ? plain.slice(index, index + word.length) : word;
    const day = key.startsWith("month")
      ? dayBeside(letters, index, index + word.length, numbers.slice(near, near + 2 * FARTHEST))
      : undefined;
    const isName = !mustBeCapital || /^\P{Ll}/u.test(written);
    if (!isName || (day === undefined && mustBeCapital && index === 0 && key.startsWith("month")))
      continue;
    add(written, [day === undefined ? key : `date:${key.slice(6)}-${day.keys[0]}`], day);
  }
  return { figures, used };
}

/** 木曜日には: in a script without spaces the name is only the beginning of a run. */
function gluedDay(word: string, calendar: Map<string, string>): string | undefined {
  if (!GLUED.test(word)) return undefined;
  return [...calendar].find(([name]) => name.length > 1 && word.includes(name))?.[1];
}

/** Characters between a day and its month: "11th of December". */
const FARTHEST = 8;

function dayBeside(
  letters: string,
  start: number,
  end: number,
  numbers: FoundNumber[],
): FoundNumber | undefined {
  return numbers.find((number) => {
    if (number.start - end > FARTHEST || start - number.end > FARTHEST) return false;
    const value = Number(number.keys[0]);
    const gap =
      number.end <= start ? letters.slice(number.end, start) : letters.slice(end, number.start);
    const isBeside = number.start >= end || number.end <= start;
    // "11th of December", "15 de março"; but "in september een" is no first.
    const fits =
      number.isWord && !number.isOrdinal ? /^\s$/ : /^(?:\.|\p{L}{1,2})?\s?(?:\p{L}{1,3}\s)?$/u;
    return isBeside && value >= 1 && value <= 31 && fits.test(gap);
  });
}

/** "2026-03-12", "12.03.2026", "3/12/2026", "12.03.". */
function writtenDate(
  { joined, start, end }: FoundNumber,
  letters: string,
  language: string,
): string[] {
  const isShort =
    joined === undefined &&
    /^\d{1,2}\.\d{1,2}\.$/.test(letters.slice(start, end + 1)) &&
    hasDottedDates(language);
  const parts = (isShort ? letters.slice(start, end).split(".") : (joined?.parts ?? [])).map(
    Number,
  );
  if (!isShort && (parts.length !== 3 || !parts.some((part) => part > 1_900 && part < 2_200)))
    return [];
  const [one = 0, other = 0] = parts.filter((part) => part < 1_900);
  const fits = (month: number, day: number): string[] =>
    month >= 1 && month <= 12 && day >= 1 && day <= 31 ? [`date:${month}-${day}`] : [];
  return [...fits(other, one), ...(isShort ? [] : fits(one, other))];
}

function hasDottedDates(language: string): boolean {
  return /\d\./.test(new Intl.DateTimeFormat(language).format(0));
}

const signs = new Map<string, { month?: string; day?: string }>();

/** Where months are numbers: what stands behind them, and behind the day. */
function signsOf(language: string): { month?: string; day?: string } {
  const known = signs.get(language);
  if (known !== undefined) return known;
  const format = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }).format(
      new Date(Date.UTC(2026, 10, 15)),
    );
  const [month] = /\p{scx=Han}$|\p{scx=Hangul}$/u.exec(format({ month: "long" })) ?? [];
  const [day] = /\p{scx=Han}$|\p{scx=Hangul}$/u.exec(format({ day: "numeric" })) ?? [];
  const found = { ...(month !== undefined && { month }), ...(day !== undefined && { day }) };
  signs.set(language, found);
  return found;
}
