import { addressesIn } from "../facts.ts";
import { fold } from "../folding.ts";
import { readable } from "../numbers.ts";
import type { Measure } from "../measures.ts";
import type { Source } from "../source.ts";
import { figuresFound } from "./figures-found.ts";
import type { Figure } from "./figures-found.ts";

/** Figures that may be repeated, by their value. */
export class KnownFigures {
  readonly #byKey = new Map<string, Figure[]>();
  readonly #months = new Set<string>();
  readonly #folded: string;
  readonly #letters: string;

  /** @param languages each text is read in every one of them, by its own words alone. */
  constructor(texts: string[], languages: string[]) {
    const whole = texts.join("\n\n");
    this.#folded = fold(whole);
    const { rest } = addressesIn(whole);
    this.#letters = readable(rest);
    for (const language of new Set(languages))
      for (const figure of figuresFound(rest, language, { isSource: true }))
        for (const key of figure.kind === "number" ? figure.keys.slice(0, 1) : figure.keys) {
          const [, month] = /^date:(\d+)-/.exec(key) ?? [];
          if (month !== undefined) this.#months.add(month);
          const same = this.#byKey.get(key) ?? [];
          if (!same.some((one) => sameMeasure(one.measure, figure.measure)))
            this.#byKey.set(key, [...same, figure]);
        }
  }

  /** Figures of this value, with whatever they count. */
  with(key: string): Figure[] {
    return this.#byKey.get(key) ?? [];
  }

  keys(): string[] {
    return [...this.#byKey.keys()];
  }

  /** Whether a day of this month stands there: "3" for "15 March". */
  hasDayIn(month: string): boolean {
    return this.#months.has(month);
  }

  hasAddress(address: string): boolean {
    return this.#folded.includes(fold(address));
  }

  hasWord(word: string): boolean {
    return this.#letters.includes(word);
  }
}

/** What an agent's owner wrote. Built once for an agent: it reads all of the knowledge. */
export class OwnerFigures extends KnownFigures {
  readonly languages: string[];
  readonly #told = new WeakMap<Source, Map<string, KnownFigures>>();
  #factors: Set<string> | undefined;

  constructor(texts: string[], languages: string[]) {
    super(texts, languages);
    this.languages = languages;
  }

  /** What was said in a conversation, read in the agent's languages and in the one that is spoken. Kept as long as the sources are. */
  told(sources: Source[], language: string): Told {
    return new Told(sources.map((source) => this.#read(source, language)));
  }

  #read(source: Source, language: string): KnownFigures {
    const read = this.#told.get(source) ?? new Map<string, KnownFigures>();
    const known =
      read.get(language) ?? new KnownFigures([source.text], [language, ...this.languages]);
    this.#told.set(source, read.set(language, known));
    return known;
  }

  /** What a share of the owner's makes of a price: 0.1, 0.9 and 1.1 for ten percent. */
  get factors(): Set<string> {
    if (this.#factors !== undefined) return this.#factors;
    const found = new Set<string>();
    for (const key of this.keys()) {
      const share = Number(key) / 100;
      if (!this.with(key).some(({ measure }) => measure?.kind === "share")) continue;
      for (const factor of [share, 1 - share, 1 + share])
        found.add(String(Number(factor.toPrecision(12))));
    }
    return (this.#factors = found);
  }
}

/** The figures of several texts. */
export class Told {
  readonly #texts: KnownFigures[];

  constructor(texts: KnownFigures[]) {
    this.#texts = texts;
  }

  with(key: string): Figure[] {
    return this.#texts.flatMap((text) => text.with(key));
  }

  hasDayIn(month: string): boolean {
    return this.#texts.some((text) => text.hasDayIn(month));
  }

  hasAddress(address: string): boolean {
    return this.#texts.some((text) => text.hasAddress(address));
  }

  hasWord(word: string): boolean {
    return this.#texts.some((text) => text.hasWord(word));
  }
}

/** Whether both count the same thing; currencies that share a name may be the same. */
export function sameMeasure(one: Measure | undefined, other: Measure | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.kind === "money" && other.kind === "money")
    return (
      one.currencies.size === 0 ||
      other.currencies.size === 0 ||
      [...one.currencies].some((currency) => other.currencies.has(currency))
    );
  if (one.kind === "unit" && other.kind === "unit") return one.unit === other.unit;
  return one.kind === other.kind;
}

/** What a sentence's figures are compared with. */
export interface Known {
  owner: OwnerFigures;
  visitor: Told;
  agent: Told;
  calculations: string[];
  /** At midnight, UTC. */
  today: Date;
  isQuestion: boolean;
  /** From one hour to another. */
  hasOpeningHours: boolean;
}

/** So few things can be counted on the screen or in the sentence itself. */
export const SMALL = 10;
