import { addressesIn } from "../facts.ts";
import { endsInQuestion } from "../sentences.ts";
import { isSpokenFor } from "./calculation.ts";
import { follows } from "./follows.ts";
import { figuresFound } from "./figures-found.ts";
import type { Figure } from "./figures-found.ts";
import type { Source } from "../source.ts";
import { sameMeasure, SMALL } from "./known-figures.ts";
import type { Known, KnownFigures, OwnerFigures } from "./known-figures.ts";

/** What a sentence's figures may come from. */
export interface FigureSources {
  /** The language that the sentence is in (BCP 47). */
  language: string;
  /** Knowledge, content, titles, greetings, questions, names. */
  owner: OwnerFigures;
  /** What the visitor said, and the page's metadata. */
  visitor: Source[];
  /** What the agent was already allowed to say. */
  agent: Source[];
  /** Calculations that the model declared for this sentence: `12*189*0.9`. */
  calculations: string[];
  /** Today's date in UTC. */
  today: Date;
}

export interface FigureTrouble {
  code: "money" | "figure" | "link";
  /** The figure as it is written. */
  figure: string;
  /** For the model: what is wrong, and what to do. */
  why: string;
}

/** What is wrong with a sentence's figures; undefined where each has a source. */
export function judgeFigures(sentence: string, sources: FigureSources): FigureTrouble | undefined {
  const { owner } = sources;
  const language = isLanguage(sources.language) ? sources.language : "en";
  const { today: now } = sources;
  const today = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
  const { addresses, rest } = addressesIn(sentence);
  const figures = figuresFound(rest, language);
  const known: Known = {
    owner,
    calculations: sources.calculations,
    today,
    visitor: owner.told(sources.visitor, language),
    agent: owner.told(sources.agent, language),
    isQuestion: endsInQuestion(sentence),
    hasOpeningHours:
      figures.filter(({ measure }) => measure?.kind === "unit" && measure.unit === "hour")
        .length === 2,
  };
  const isTold = (address: string): boolean =>
    [owner, known.visitor, known.agent].some((told) => told.hasAddress(address));
  const link = addresses.find((address) => !isTold(address));
  if (link !== undefined)
    return {
      code: "link",
      figure: link,
      why: `The address "${link}" stands nowhere in the knowledge and nobody has said it: leave it out.`,
    };
  const wrong =
    [...figures, ...foreignPrices(rest, figures, sources)].find(
      (figure) => !hasSource(figure, known),
    ) ?? wrongWeekday(figures, today);
  return wrong === undefined ? undefined : troubleOf(wrong);
}

function isLanguage(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code).length === 1;
  } catch {
    return false;
  }
}

/**
 * Prices and shares in another of the agent's languages: a model may fall into it without saying so. By the
 * currency beside them they are certain, unless they are written as "1.200", which is another number there.
 */
function foreignPrices(text: string, own: Figure[], { owner, language }: FigureSources): Figure[] {
  const placed = own.filter(({ start }) => start >= 0);
  return [...new Set([...owner.languages, "en"])]
    .filter((other) => other !== language)
    .flatMap((other) => {
      let next = 0;
      return figuresFound(text, other).filter((figure) => {
        const { start, isWord } = figure;
        const end = start + figure.text.length;
        if (!isPrice(figure) || /\p{N}[.,'’\s]\p{N}/u.test(figure.text)) return false;
        // Both stand in the order of the text: compared with all of the others, a long list would take ever longer.
        while (next < placed.length && endOf(placed[next]!) <= start) next += 1;
        let at = next;
        while (at < placed.length && placed[at]!.start < end) {
          if (isWord || isPrice(placed[at]!)) return false;
          at += 1;
        }
        return true;
      });
    });
}

function endOf({ start, text }: Figure): number {
  return start + text.length;
}

function isPrice({ measure }: Figure): boolean {
  return measure?.kind === "money" || measure?.kind === "share";
}

function troubleOf(figure: Figure): FigureTrouble {
  const { text, kind, measure } = figure;
  const isMoney = isPrice(figure);
  const what =
    kind === "date" ? "date" : isMoney ? (measure?.kind === "share" ? "share" : "price") : "figure";
  return {
    code: isMoney ? "money" : "figure",
    figure: text,
    why: `The ${what} "${text}" does not stand in the knowledge${isMoney ? "" : ", nobody has said it"}, and no declared calculation with known numbers gives it: leave it out, or declare the calculation.`,
  };
}

function hasSource(figure: Figure, known: Known): boolean {
  if (figure.kind === "date") return isKnownDate(figure, known);
  if (
    figure.isUndecided &&
    [known.owner, known.visitor, known.agent].some((told) => told.hasWord(figure.text))
  )
    return true;
  return (
    figure.keys.some((key) => isKnown(key, figure, known)) ||
    (!figure.isUndecided && follows(figure, known))
  );
}

function isKnown(
  key: string,
  { measure, isWord, kind }: Figure,
  { owner, visitor, agent, today, hasOpeningHours }: Known,
): boolean {
  const value = Number(key);
  const isSame = (other: Figure): boolean =>
    sameMeasure(measure, other.measure) || (other.isCell && other.measure === undefined);
  if (measure?.kind === "share" && value === 100) return true;
  if (owner.with(key).some(isSame)) return true;
  // A visitor can name any price. Only the owner's own is an offer.
  if (measure?.kind === "money")
    return agent.with(key).some((other) => sameMeasure(measure, other.measure));
  if (measure?.kind === "share") return false;
  const told = [...visitor.with(key), ...agent.with(key)];
  if (measure?.kind === "unit") {
    const { unit } = measure;
    // "2023 roku" and 2023年 name a year, and "twelve months" may stand as "gets twelve" there.
    const bare = owner.with(key).filter((other) => other.measure === undefined);
    if (unit === "year" && value > 1_900 && bare.length > 0) return true;
    if (TIME.has(unit) && value > SMALL && bare.some((other) => other.isWord)) return true;
    const isTold = told.some(
      (other) =>
        sameMeasure(measure, other.measure) ||
        (other.measure === undefined && (value > SMALL || !TIME.has(unit))),
    );
    // "De quatre heures à vingt heures" are times of the day.
    const isHour =
      unit === "hour" &&
      hasOpeningHours &&
      value <= 24 &&
      owner.with(key).some((other) => other.measure === undefined);
    const isOne = isWord && value <= 1;
    return isTold || isHour || isOne || isIdiom(value, unit) || isConverted(value, unit, owner);
  }
  if (told.length > 0) return true;
  if (owner.with(key).length > 0 || kind === "time") return owner.with(key).length > 0;
  if (Number.isInteger(value) && value <= SMALL) return true;
  return (
    value >= today.getUTCFullYear() - 1 &&
    value <= today.getUTCFullYear() + 2 &&
    Number.isInteger(value)
  );
}

/** "The 30-second version", "in a minute". */
function isIdiom(value: number, unit: string): boolean {
  return unit === "second" && (value === 30 || value === 60);
}

/** "Twelve months" for 365 days. */
function isConverted(value: number, unit: string, owner: KnownFigures): boolean {
  for (const dimension of DIMENSIONS) {
    const size = dimension.get(unit);
    if (size === undefined) continue;
    for (const [other, factor] of dimension) {
      const converted = (value * size) / factor;
      for (const rounded of [converted, Math.round(converted), Math.round(converted / 5) * 5])
        if (
          other !== unit &&
          isSpokenFor(rounded, converted) &&
          owner
            .with(String(Number(rounded.toPrecision(6))))
            .some(({ measure }) => measure?.kind === "unit" && measure.unit === other)
        )
          return true;
    }
  }
  return false;
}

const TIME = new Map([
  ["second", 1],
  ["minute", 60],
  ["hour", 3_600],
  ["day", 86_400],
  ["week", 604_800],
  ["month", 2_629_746],
  ["year", 31_556_952],
]);
const DIMENSIONS = [
  TIME,
  new Map([
    ["kilobyte", 1],
    ["megabyte", 1e3],
    ["gigabyte", 1e6],
    ["terabyte", 1e9],
  ]),
];

function isKnownDate({ keys }: Figure, known: Known): boolean {
  const { owner, visitor, agent, today, calculations, isQuestion } = known;
  const tomorrow = new Date(today.getTime() + DAY_MS);
  const soon = [today, tomorrow].flatMap((date) => [
    keyOf(date),
    `day:${weekdayOf(date)}`,
    `month:${date.getUTCMonth() + 1}`,
  ]);
  return keys.some((key) => {
    if (soon.includes(key) || [owner, visitor, agent].some((told) => told.with(key).length > 0))
      return true;
    const [, month = 0, day = 0] = (/^date:(\d+)-(\d+)$/.exec(key) ?? []).map(Number);
    if (day === 0) {
      const isSaid = [visitor, owner, agent].some((told) => told.hasDayIn(key.slice(6)));
      // A question only offers it: "Would March suit you?"
      return isQuestion || (key.startsWith("month") && isSaid);
    }
    // "By Friday" is this one or the next.
    const date = nextDate(today, month, day);
    const isNext =
      date.getTime() - today.getTime() <= 14 * DAY_MS &&
      visitor.with(`day:${weekdayOf(date)}`).length > 0;
    const figure: Figure = {
      text: "",
      start: -1,
      keys: [String(day)],
      kind: "number",
      measure: undefined,
      isWord: false,
      isUndecided: false,
      isCell: false,
    };
    return isNext || (calculations.length > 0 && follows(figure, known));
  });
}

const DAY_MS = 86_400_000;

function keyOf(date: Date): string {
  return `date:${date.getUTCMonth() + 1}-${date.getUTCDate()}`;
}

/** Monday is 1. */
function weekdayOf(date: Date): number {
  return ((date.getUTCDay() + 6) % 7) + 1;
}

function nextDate(today: Date, month: number, day: number): Date {
  const date = new Date(Date.UTC(today.getUTCFullYear(), month - 1, day));
  return date < today ? new Date(Date.UTC(today.getUTCFullYear() + 1, month - 1, day)) : date;
}

/** The date of a sentence with one date and one day of the week that do not fit. */
function wrongWeekday(figures: Figure[], today: Date): Figure | undefined {
  const dates = figures.filter(({ keys }) => keys[0]?.startsWith("date:"));
  const days = figures.filter(({ keys }) => keys[0]?.startsWith("day:"));
  const [date, day] = [dates[0], days[0]];
  if (date === undefined || day === undefined || dates.length > 1 || days.length > 1)
    return undefined;
  const isRight = date.keys.some((key) => {
    const [, month = 1, monthDay = 1] = (/^date:(\d+)-(\d+)$/.exec(key) ?? []).map(Number);
    return day.keys.includes(`day:${weekdayOf(nextDate(today, month, monthDay))}`);
  });
  return isRight ? undefined : date;
}
