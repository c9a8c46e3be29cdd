import { asciiDigits, piecesOf } from "./digits.ts";
import { UNSPACED } from "./folding.ts";
import { numberWordsOf } from "./number-words.ts";
import type { NumberPart, NumberWords } from "./number-words.ts";

export interface FoundNumber {
  /** Its place in the text, as `readable` gives it. */
  start: number;
  end: number;
  /** Its value, in digits without groups. A second one where another language would read the signs differently. */
  keys: string[];
  /** In words, at least in part. */
  isWord: boolean;
  isOrdinal: boolean;
  /** A compound of a known scale with something unknown: "anderhalfduizend". The value is a guess. */
  isUndecided: boolean;
  /** Nothing but a scale ("hundred", 万), or a single character that begins another word, as in 十分 ("enough"). */
  isBare: boolean;
  /** All parts, where signs join several: "12.03.2026", "10:30", "24/7". */
  joined: { parts: string[]; text: string } | undefined;
}

/** A text as numbers are looked for: compatible characters, every script's digits as 0 to 9, small letters. */
export function readable(text: string): string {
  const visible = text.normalize("NFKC").replaceAll(INVISIBLE, "").replaceAll(/ {2,}/g, " ");
  const plain = asciiDigits(visible);
  const small = plain.toLowerCase();
  return small.length === plain.length ? small : small.replaceAll("i̇", "i");
}

/** Marks that nobody sees: soft hyphens, joiners, variants of emoji. */
const INVISIBLE = /[\p{Cf}\p{Me}\uFE0F]+/gu;

/** Numbers in digits and in the words of one language, in their order. */
export function numbersIn(text: string, language: string): FoundNumber[] {
  const words = numberWordsOf(language);
  const found: FoundNumber[] = [];
  let at = 0;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (index < at) continue;
    if (run < ":") {
      found.push(...readDigits(text, index, run, language, words));
      at = found.at(-1)!.end;
      continue;
    }
    if (!words.mayBe(run)) continue;
    for (let start = Math.max(index, at); start < index + run.length; start++) {
      if (start > index && !CHARACTER.test(text[start]!)) continue;
      const number = readWords(text, start, index + run.length, words);
      if (number === undefined) continue;
      found.push(isWordOfItsOwn(number, run, index) ? number : { ...number, isBare: true });
      start = number.end - 1;
      at = number.end;
    }
  }
  return found;
}

/** The values of the numbers in a text. Any of its keys is meant: the 3 in 2026-03-12 is a number and a month. */
export function numberKeysIn(
  text: string,
  language: string,
): { keys: string[]; isLoose: boolean }[] {
  const letters = readable(text);
  return numbersIn(letters, language).flatMap(
    ({ keys: [key = ""], isWord, isOrdinal, isUndecided, isBare, joined, start }) => {
      const isCertain = !CHARACTER.test(letters[start]!) || (Number(key) > 10 && !isBare);
      if (isOrdinal || (isWord && !isCertain)) return [];
      const isMonth = joined?.parts.length === 3 && /^(?:[1-9]|1[0-2])$/.test(key);
      const isLoose = isUndecided || (isWord && Number(key) < 2);
      return [{ keys: isMonth ? [key, `month:${key}`] : [key], isLoose }];
    },
  );
}

/** Scripts in which a word may end at any character: numbers are followed by what they count. */
const GLUED = String.raw`[${UNSPACED}\p{scx=Hangul}]`;
const CHARACTER = new RegExp(`[${UNSPACED}]`, "v");
const ENDS_ANYWHERE = new RegExp(GLUED, "v");
const LETTER = /[\p{L}\p{M}\p{N}]/u;

/** Digits with the signs that hold them together, if no letter stands before them ("b2b"); or a run of letters. */
const RUN = new RegExp(
  String.raw`(?<![[\p{L}\p{M}\p{N}]--${GLUED}])\d+(?:[.,'’:\/\-–]\d+| \d{3}(?!\d))*|[\p{L}\p{M}〇]+`,
  "gv",
);

/** By ICU's dictionary, where it is a single character: 一緒 is "together". */
function isWordOfItsOwn({ start, end }: FoundNumber, run: string, index: number): boolean {
  if (end - start > 1 || end >= index + run.length || !CHARACTER.test(run[start - index]!))
    return true;
  const at = start - index;
  const from = Math.max(0, at - 8);
  const ends = [...SEGMENTS.segment(run.slice(from, at + 8))].map((one) => from + one.index);
  return ends.includes(at + 1) && ends.includes(at);
}

const SEGMENTS = new Intl.Segmenter("ja", { granularity: "word" });

interface Growing {
  total: { value: number; room: number }[];
  end: number;
  count: number;
}

const valueOf = ({ total }: Growing): number =>
  // Without the errors of binary fractions: 1.1 million.
  Number(total.reduce((sum, { value }) => sum + value, 0).toPrecision(15));

function readDigits(
  text: string,
  start: number,
  run: string,
  language: string,
  words: NumberWords,
): FoundNumber[] {
  const pieces = [...run.matchAll(/[^:/\-–]+/g)].flatMap(({ 0: piece, index }) =>
    piecesOf(piece, index, language),
  );
  const parts = pieces.map(({ keys }) => keys[0]!);
  const isJoined = parts.length > 1 && parts.length <= MOST_JOINED;
  return pieces.map(({ keys, from, length }, index) => {
    const isLast = index === pieces.length - 1;
    const [key = "0"] = keys;
    const begun = {
      total: [{ value: Number(key), room: 0 }],
      end: start + from + length,
      count: 0,
    };
    const grown = isLast ? grow(text, begun, words) : [];
    const scaled = grown.findLast(({ end }) => endsWord(text, end));
    return {
      start: start + from,
      end: scaled?.end ?? begun.end,
      keys: scaled === undefined ? keys : [String(valueOf(scaled))],
      isWord: false,
      isOrdinal: false,
      isUndecided: false,
      isBare: false,
      joined: isJoined ? { parts, text: run } : undefined,
    };
  });
}

/** More are no date, time or version, and comparing them with each other would take long. */
export const MOST_JOINED = 8;

function readWords(
  text: string,
  start: number,
  wordEnd: number,
  words: NumberWords,
): FoundNumber | undefined {
  const steps = grow(text, { total: [], end: start, count: 0 }, words);
  const base = {
    start,
    isWord: true,
    isOrdinal: false,
    isUndecided: false,
    isBare: false,
    joined: undefined,
  };
  const whole = steps.findLast(({ end, isClosed }) => isClosed && endsWord(text, end));
  if (whole !== undefined) {
    const decimals = decimalsBehind(text, whole.end, words);
    const isBare = whole.count === 1 && whole.last.kind === "scale";
    const { kind } = whole.last;
    return {
      ...base,
      end: decimals?.end ?? whole.end,
      keys: [`${valueOf(whole)}${decimals?.digits ?? ""}`],
      isOrdinal: kind === "ordinal",
      isBare,
    };
  }
  const inflected = steps.findLast((step) => mayBeInflected(step, text, start, wordEnd));
  if (inflected !== undefined) return { ...base, end: wordEnd, keys: [String(valueOf(inflected))] };
  const compound = words.scales.find(
    ([name]) => text.endsWith(name, wordEnd) && wordEnd - name.length > start + 2,
  );
  if (compound === undefined || CHARACTER.test(text[start]!)) return undefined;
  // "Zweieinhalbtausend" is between two thousand and three, "anderthalbtausend" more than one.
  const begun = steps[0] === undefined ? 1 : valueOf(steps[0]);
  return { ...base, end: wordEnd, keys: [String((begun + 0.5) * compound[1])], isUndecided: true };
}

/** "Zwanziger", "yirmiye"; "soixantaine" by its stem. */
function mayBeInflected(step: Step, text: string, start: number, wordEnd: number): boolean {
  const rest = wordEnd - step.end;
  if (rest < 1 || /\P{L}/u.test(text.slice(start, wordEnd))) return false;
  if (step.last.kind === "stem") return rest <= 4;
  return rest <= 2 && step.isClosed && valueOf(step) >= 20 && step.end - start >= 5;
}

interface Step extends Growing {
  isClosed: boolean;
  last: NumberPart;
}

/** All that can be read from here on, the shortest first. */
function grow(text: string, current: Growing, words: NumberWords): Step[] {
  const start =
    current.end + (current.total.length > 0 && BREAK.test(text[current.end] ?? "") ? 1 : 0);
  let first: Step[] = [];
  if (current.count >= MOST_PARTS) return first;
  for (const { part, end } of partsAt(text, start, current, words)) {
    const next = stepTo(current, part, end);
    if (next === undefined) continue;
    const isLast = part.kind === "stem" || part.kind === "ordinal";
    const steps = isLast ? [next] : [next, ...grow(text, next, words)];
    // "One hundred and" is nothing where no number follows: then it is "one hundred".
    if (steps.some((step) => step.isClosed && endsWord(text, step.end))) return steps;
    first = [...first, ...steps];
  }
  return first;
}

/** No number has more words; somebody who strings them together would keep the process busy. */
const MOST_PARTS = 30;

const BREAK = /[\s\u00AD\u2010\u2011-]/;

function partsAt(
  text: string,
  start: number,
  { total, end }: Growing,
  words: NumberWords,
): { part: NumberPart; end: number }[] {
  const digits =
    start === end && total.at(-1)?.room !== 0
      ? /^\d+/.exec(text.slice(start, start + 9))?.[0]
      : undefined;
  if (digits !== undefined && CHARACTER.test(text[start - 1] ?? ""))
    return [
      { part: { value: Number(digits), kind: "whole", isOpen: false }, end: start + digits.length },
    ];
  return words
    .at(text, start)
    .filter(({ part, end: ends }) => part.kind !== "short" || endsWord(text, ends));
}

/** Undefined where the part cannot follow: "twenty, five" are two numbers. */
function stepTo(current: Growing, part: NumberPart, end: number): Step | undefined {
  const { value, kind, isOpen } = part;
  const step = { end, count: current.count + 1, isClosed: !isOpen && kind !== "stem", last: part };
  if (kind !== "scale" && kind !== "short") {
    const last = current.total.at(-1);
    if (last !== undefined && (value >= last.room || value === 0)) return undefined;
    const zeros = /0*$/.exec(String(value))![0].length;
    const room = zeros < 2 ? 0 : 10 ** zeros;
    return {
      ...step,
      total: [...current.total, { value, room: isOpen ? Math.max(room, 1) : room }],
    };
  }
  if (kind === "short" && current.total.length === 0) return undefined;
  const split = current.total.findIndex((one) => one.value < value);
  const [kept, times] =
    split < 0 ? [current.total, []] : [current.total.slice(0, split), current.total.slice(split)];
  if (times.length === 0 && kept.length > 0 && kept.at(-1)!.room <= value) return undefined;
  const count = times.length === 0 ? 1 : times.reduce((sum, one) => sum + one.value, 0);
  return { ...step, total: [...kept, { value: count * value, room: value }] };
}

/** "Point five" behind "two". */
function decimalsBehind(
  text: string,
  end: number,
  words: NumberWords,
): { digits: string; end: number } | undefined {
  const { point } = words;
  if (point === undefined) return undefined;
  const start = text[end] === " " ? end + 1 : end;
  if (!text.startsWith(point, start)) return undefined;
  let [digits, at] = ["", start + point.length];
  for (;;) {
    const from = text[at] === " " ? at + 1 : at;
    const digit = words
      .at(text, from)
      .find(
        ({ part, end: ends }) => part.kind === "whole" && part.value < 100 && endsWord(text, ends),
      );
    if (digit === undefined)
      return digits === "" ? undefined : { digits: `.${digits}`.replace(/(?<!0)0+$/, ""), end: at };
    digits += String(digit.part.value);
    at = digit.end;
  }
}

function endsWord(text: string, end: number): boolean {
  const [last = "", next = ""] = [text[end - 1], text[end]];
  return !LETTER.test(next) || ENDS_ANYWHERE.test(next) || ENDS_ANYWHERE.test(last);
}
