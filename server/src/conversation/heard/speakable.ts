import { calendarRules } from "./reading/calendar.ts";
import { figureRules, phoneRules } from "./reading/figures.ts";
import { moneyRules } from "./reading/money.ts";
import { readingLocaleOf } from "./reading/reading-locale.ts";
import type { ReadingLocale } from "./reading/reading-locale.ts";
import type { Rule } from "./reading/rule.ts";
import { silentRules, withoutEmoji } from "./reading/rule.ts";
import { addressRules, schemeRule } from "./reading/web-address.ts";

/** A piece of a sentence, as it is written and as it is said. */
export interface SpokenPiece {
  written: string;
  /** Empty for what is not said: emoji, signs of markdown. */
  spoken: string;
}

/**
 * A sentence as people read it out; its pieces as written are the sentence. Digits stay where every
 * voice reads them right, and a language that we do not know keeps all but what nobody says.
 */
export function speakable(sentence: string, language: string): SpokenPiece[] {
  const pieces: SpokenPiece[] = [];
  let end = 0;
  const readTo = (start: number): void => {
    const written = sentence.slice(end, start);
    if (written !== "") pieces.push({ written, spoken: written });
  };
  for (const { start, written, spoken } of readings(sentence, rulesOf(language))) {
    readTo(start);
    pieces.push({ written, spoken });
    end = start + written.length;
  }
  readTo(sentence.length);
  return pieces;
}

interface Reading extends SpokenPiece {
  start: number;
}

/** In the order of the sentence. Where two rules see the same, the first one has it. */
function readings(sentence: string, rules: Rule[]): Reading[] {
  const found: Reading[] = [];
  const taken = new Uint8Array(sentence.length);
  for (const { pattern, say } of rules) {
    for (const match of sentence.matchAll(pattern)) {
      const [written] = match;
      const { index: start } = match;
      const end = start + written.length;
      const isTaken = taken.subarray(start, end).includes(1);
      const spoken = isTaken || written === "" ? undefined : say(match);
      if (spoken === undefined) continue;
      found.push({ start, written, spoken: withoutEmoji(spoken) });
      taken.fill(1, start, end);
    }
  }
  return found.toSorted((one, other) => one.start - other.start);
}

function rulesOf(language: string): Rule[] {
  const locale = readingLocaleOf(language);
  let rules = RULES.get(locale);
  if (rules === undefined) {
    rules = [...silentRules.links, schemeRule(locale), ...(locale ? inLocale(locale) : [])];
    rules.push(...silentRules.signs);
    RULES.set(locale, rules);
  }
  return rules;
}

const RULES = new Map<ReadingLocale | undefined, Rule[]>();

function inLocale(locale: ReadingLocale): Rule[] {
  return [
    ...addressRules(locale),
    ...calendarRules(locale),
    ...phoneRules(locale),
    ...moneyRules(locale),
    ...figureRules(locale),
  ];
}
