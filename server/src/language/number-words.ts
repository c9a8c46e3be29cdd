import { UNSPACED } from "./folding.ts";
import { spellOutsOf } from "./spell-out.ts";

/** What a word, or a part of one, does in a number that is spelled out. */
export interface NumberPart {
  value: number;
  /**
   * `whole` adds its value, and `ordinal` too; `scale` multiplies what stands before it; `short` is a scale that is nothing
   * on its own ("k", "Mio."); `stem` is a whole one without its ending ("soixant" in "soixantaine").
   */
  kind: "whole" | "ordinal" | "scale" | "short" | "stem";
  /** It needs another one behind it: "ciento", "thousand and". */
  isOpen: boolean;
}

interface Node {
  next: Map<string, Node>;
  /** A space or hyphen may stand behind this letter: "vier-und-zwanzig". */
  mayBreak: boolean;
  parts: NumberPart[];
}

/** The number words of one language, from the spell-out rules of the Unicode CLDR. */
export class NumberWords {
  readonly #root: Node = newNode();
  /** The last words of large scales, by which an unknown compound is seen to be a number. */
  readonly scales: [string, number][] = [];
  readonly #scales = new Map<string, number>();
  readonly point: string | undefined;

  constructor(language: string) {
    const spelled = spellOutsOf(language);
    this.point = spelled?.point === undefined ? undefined : keyOf(spelled.point);
    if (spelled !== undefined) this.#learn(spelled.cardinals, spelled.ordinals);
    this.#learnShort(language);
  }

  /** Whether a run of letters can hold a number: most cannot, by a look at their first and last letter. */
  mayBe(run: string): boolean {
    if (this.#root.next.has(run[0]!) || CHARACTER.test(run)) return true;
    return this.scales.some(([name]) => run.endsWith(name));
  }

  /** The parts that begin at a place of a text (as `readable` gives it), the longest first. */
  at(text: string, start: number): { part: NumberPart; end: number }[] {
    const found: { part: NumberPart; end: number }[] = [];
    let node: Node | undefined = this.#root;
    for (let at = start; at < text.length; at++) {
      const sign = text[at]!;
      if (BREAK.test(sign) && at > start) {
        if (!node.mayBreak) break;
        continue;
      }
      node = node.next.get(sign);
      if (node === undefined) break;
      found.unshift(...node.parts.map((part) => ({ part, end: at + 1 })));
    }
    return found;
  }

  #learn(cardinals: ((value: number) => string)[], ordinals: ((value: number) => string)[]): void {
    const forms = new Map<number, Set<string>>();
    for (const value of WHOLE) forms.set(value, spelledBy(cardinals, value));
    for (const [value, keys] of forms)
      for (const key of keys) this.#add(key, { value, kind: "whole" });
    for (const value of WHOLE.slice(1, 32))
      for (const key of spelledBy(ordinals, value)) this.#add(key, { value, kind: "ordinal" });

    const without = (key: string, value: number, side: "start" | "end"): string | undefined => {
      const fitting = [...(forms.get(value) ?? [])].filter((form) =>
        side === "end" ? key.endsWith(form) : key.startsWith(form) && isPart(key, form.length),
      );
      const longest = fitting.toSorted((one, other) => other.length - one.length)[0];
      if (longest === undefined) return undefined;
      return side === "end" ? key.slice(0, -longest.length) : key.slice(longest.length);
    };

    for (const round of WHOLE.filter((value) => value >= 100))
      for (const rest of RESTS)
        for (const key of spelledBy(cardinals, round + rest)) {
          const opening = without(key, rest, "end");
          if (opening) this.#add(opening, { value: round, kind: "whole", isOpen: true });
          // "Tré" is a three only behind others.
          const tail = without(key, round, "start");
          if (tail) this.#add(tail, { value: rest, kind: "whole" });
        }
    // "Quatre-vingt" in "quatre-vingt mille".
    const thousands = [...spelledBy(cardinals, 5_000)].flatMap(
      (key) => without(key, 5, "start") ?? [],
    );
    for (const value of WHOLE)
      for (const key of value < 1 || value > 900 ? [] : spelledBy(cardinals, value * 1_000))
        for (const name of thousands.filter((thousand) => key.endsWith(thousand)))
          this.#add(key.slice(0, -name.length), { value, kind: "whole", isOpen: true });
    for (const scale of SCALES)
      for (const count of COUNTS)
        for (const rest of count > 2 ? [0] : [0, 1, 21, 100]) {
          if (rest >= scale) continue;
          for (const key of spelledBy(cardinals, count * scale + rest)) {
            const opening = rest === 0 ? key : without(key, rest, "end");
            if (!opening) continue;
            const name = without(opening, count, "start");
            if (name) this.#addScale(name, scale, rest > 0, forms);
            // "Ettusen" and "mil" are a thousand, and "eine Million" is no part of two.
            else if (count === 1)
              this.#add(opening, { value: scale, kind: "whole", isOpen: rest > 0 });
          }
        }
  }

  /** "K", "Mio." and "万" behind digits. */
  #learnShort(language: string): void {
    for (const compactDisplay of ["short", "long"] as const) {
      const format = new Intl.NumberFormat(language, { notation: "compact", compactDisplay });
      for (const value of SCALES.flatMap((scale) => [scale, 2 * scale, 5 * scale])) {
        const parts = format.formatToParts(value);
        const digits = parts.filter(({ type }) => type === "integer").map((part) => part.value);
        const name = parts.find(({ type }) => type === "compact")?.value;
        const times = value / Number(digits.join(""));
        if (name !== undefined && times > 1)
          this.#add(keyOf(name.replace(/\.$/, "")), { value: times, kind: "short" });
      }
    }
  }

  #addScale(name: string, value: number, isOpen: boolean, forms: Map<number, Set<string>>): void {
    const word = name.replaceAll(BREAKS, "");
    // "Ten thousand" and 百万 are put together from others.
    const isComposed = [...this.#scales].some(([scale, size]) => {
      const rest = word.slice(0, -scale.length);
      if (size >= value || !word.endsWith(scale) || rest === "") return false;
      const others = [...this.#scales.keys(), ...(forms.get(value / size) ?? [])];
      return others.some((other) => other.replaceAll(BREAKS, "") === rest);
    });
    if (isComposed) return;
    this.#add(name, { value, kind: "scale", isOpen });
    if (isOpen) return;
    this.#scales.set(word, value);
    if (value >= 1_000 && word.length >= 4) this.scales.push([word, value]);
  }

  #add(
    key: string,
    { value, kind, isOpen = false }: Omit<NumberPart, "isOpen"> & { isOpen?: boolean },
  ): void {
    this.#insert(key, { value, kind, isOpen });
    // Who types in haste leaves accents out, and the Swiss write ss.
    const plain = key
      .normalize("NFD")
      .replaceAll(/\p{M}+/gu, "")
      .normalize("NFC")
      .replaceAll("ß", "ss");
    if (plain !== key && key.length >= 4) this.#insert(plain, { value, kind, isOpen });
    if (kind !== "whole" || value < 10 || value > 100 || BREAK.test(key)) return;
    const stem = /^(.{5,})[aeiou]$/u.exec(plain)?.[1];
    if (stem !== undefined) this.#insert(stem, { value, kind: "stem", isOpen: false });
  }

  #insert(key: string, part: NumberPart): void {
    let node = this.#root;
    for (const sign of key) {
      if (BREAK.test(sign)) {
        node.mayBreak = true;
        continue;
      }
      for (const unit of sign.split("")) {
        const next = node.next.get(unit) ?? newNode();
        node.next.set(unit, next);
        node = next;
      }
    }
    // The same that stands alone may also be followed.
    const same = node.parts.findIndex(
      ({ value, kind }) => value === part.value && kind === part.kind,
    );
    if (same < 0 && node !== this.#root) node.parts.push(part);
    else if (!part.isOpen) node.parts[same] = part;
  }
}

const known = new Map<string, NumberWords>();

/** Learned once: it takes some milliseconds for a language with many cases. */
export function numberWordsOf(language: string): NumberWords {
  const words = known.get(language) ?? new NumberWords(language);
  known.set(language, words);
  return words;
}

/** All up to a hundred, then the round ones: some languages have a word of its own for two thousand. */
const WHOLE = Array.from({ length: 119 }, (_, index) =>
  index <= 100 ? index : index < 110 ? (index - 100) * 100 : (index - 109) * 1_000,
);
const RESTS = [1, 3, 5, 8, 10, 11, 20];
const COUNTS = [1, 2, 3, 5, 21];
const SCALES = [1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e12];

/** What may stand between the parts of a number. */
const BREAK = /[\s\u00AD\u200B\u2010\u2011'’-]/;
const BREAKS = new RegExp(BREAK, "g");

const CHARACTER = new RegExp(`[${UNSPACED}]`, "v");

function newNode(): Node {
  return { next: new Map(), mayBreak: false, parts: [] };
}

function spelledBy(spellings: ((value: number) => string)[], value: number): Set<string> {
  const keys = spellings.map((spell) => keyOf(spell(value)));
  return new Set(keys.filter((key) => key !== "" && !/\p{Nd}/u.test(key)));
}

function keyOf(words: string): string {
  return words.normalize("NFKC").toLowerCase().replaceAll(",", "").trim();
}

/** "fünf" is no part of "fünfzig": a part ends where a break may be, or in a script of single characters. */
function isPart(key: string, end: number): boolean {
  return (
    end === key.length || BREAK.test(key[end]!) || /[\p{scx=Han}\p{scx=Hangul}]/u.test(key[end]!)
  );
}
