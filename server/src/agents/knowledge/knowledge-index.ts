import { setImmediate, setTimeout } from "node:timers/promises";
import { fold } from "#language";
import type { KnowledgeSection } from "./knowledge-sections.ts";
import { Spelling } from "./spelling.ts";

/** The forms by which each word is found; none for a word that says nothing, such as "the". */
export type Stems = (words: string[]) => Promise<Map<string, string[]>>;

export interface RankedSections {
  /** Places of the sections that have any of the words, the best first. */
  ranked: number[];
  /** How much of the query a section has, each word counted by its rarity: 0 to 1. */
  known(at: number): number;
}

/**
 * The sections of one version of an agent, by their words (BM25): a rare word says more than a common one, and a heading more
 * than the text. A word that stands nowhere is read as the nearest one that does.
 */
export class KnowledgeIndex {
  /** By form: the places of the sections that have it, each followed by the form's weight there. */
  readonly #postings: Map<string, number[]>;
  readonly #lengths: number[];
  readonly #meanLength: number;
  readonly #spelling: Spelling;
  /** The forms of every word that stands in the sections. */
  readonly #forms: Map<string, string[]>;
  readonly #stems: Stems;

  private constructor(
    postings: Map<string, number[]>,
    lengths: number[],
    forms: Map<string, string[]>,
    stems: Stems,
  ) {
    this.#postings = postings;
    this.#lengths = lengths;
    this.#meanLength = lengths.reduce((sum, one) => sum + one, 0) / Math.max(1, lengths.length);
    this.#forms = forms;
    this.#spelling = new Spelling([...forms.keys()]);
    this.#stems = stems;
  }

  static async of(sections: KnowledgeSection[], stems: Stems): Promise<KnowledgeIndex> {
    const byWord = new Map<string, number[]>();
    const lengths: number[] = [];
    for (const [at, section] of sections.entries()) {
      let length = 0;
      for (const [word, weight] of weighedWords(section)) {
        length += weight;
        const found = byWord.get(word);
        if (found === undefined) byWord.set(word, [at, weight]);
        else found.push(at, weight);
      }
      lengths.push(length);
      // Other conversations go on while five megabytes are read.
      if (at % 100 === 99) await setImmediate();
    }
    const forms = await stems([...byWord.keys()]);
    const postings = new Map<string, number[]>();
    for (const [word, found] of byWord)
      for (const form of forms.get(word) ?? []) {
        const before = postings.get(form);
        postings.set(form, before === undefined ? found : [...before, ...found]);
      }
    return new KnowledgeIndex(postings, lengths, forms, stems);
  }

  async search(query: string): Promise<RankedSections> {
    const scores = new Float64Array(this.#lengths.length);
    const covered = new Float64Array(this.#lengths.length);
    let whole = 0;
    for (const { forms, trust } of await this.#meantForms(query)) {
      const weights = this.#weightsOf(forms);
      const rarity = Math.log(1 + (scores.length - weights.size + 0.5) / (weights.size + 0.5));
      whole += rarity;
      for (const [at, weight] of weights) {
        const length = 1 - LENGTH_COUNTS + LENGTH_COUNTS * (this.#lengths[at]! / this.#meanLength);
        scores[at]! +=
          (trust * rarity * weight * (SATURATION + 1)) / (weight + SATURATION * length);
        covered[at]! += trust * rarity;
      }
    }
    const places: number[] = [];
    for (const [at, score] of scores.entries()) if (score > 0) places.push(at);
    const ranked = places.toSorted((one, other) => scores[other]! - scores[one]!);
    return { ranked, known: (at) => (whole === 0 ? 0 : covered[at]! / whole) };
  }

  /** For each word of the query the forms that it may mean, and how sure that is. */
  async #meantForms(query: string): Promise<{ forms: string[]; trust: number }[]> {
    const words = [...new Set(wordsOf(query))].slice(0, MAX_WORDS);
    const strange = words.filter((word) => !this.#forms.has(word));
    const forms = strange.length === 0 ? this.#forms : await this.#formsInTime(strange);
    return words.flatMap((word) => {
      const own = this.#forms.get(word) ?? forms.get(word) ?? [];
      if (own.length === 0) return [];
      if (own.some((form) => this.#postings.has(form))) return [{ forms: own, trust: 1 }];
      const meant = this.#spelling.nearest(word).flatMap((one) => this.#forms.get(one) ?? []);
      return meant.length === 0 ? [{ forms: own, trust: 1 }] : [{ forms: meant, trust: CORRECTED }];
    });
  }

  /** While the database is away a word is read as it stands: the visitor waits for what is found. */
  async #formsInTime(words: string[]): Promise<Map<string, string[]>> {
    const late = new AbortController();
    const asTheyStand = new Map(words.map((word) => [word, [word]]));
    return Promise.race([
      this.#stems(words).catch(() => asTheyStand),
      setTimeout(FORMS_WITHIN_MS, asTheyStand, late),
    ]).finally(() => late.abort());
  }

  /** By place: how much a section has of any of the forms. */
  #weightsOf(forms: string[]): Map<number, number> {
    const most = new Map<number, number>();
    for (const form of new Set(forms)) {
      const weights = new Map<number, number>();
      const postings = this.#postings.get(form) ?? [];
      for (let index = 0; index < postings.length; index += 2) {
        const at = postings[index]!;
        weights.set(at, (weights.get(at) ?? 0) + postings[index + 1]!);
      }
      for (const [at, weight] of weights) most.set(at, Math.max(most.get(at) ?? 0, weight));
    }
    return most;
  }
}

function weighedWords({ name, text }: KnowledgeSection): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (words: string[], weight: number): void => {
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + weight);
  };
  add(wordsOf(text), 1);
  // The heading right above the text says most about it.
  add(wordsOf(name), 1);
  add(wordsOf(name.slice(name.lastIndexOf(" > ") + 1)), 1);
  return weights;
}

function wordsOf(text: string): string[] {
  return fold(text)
    .split(" ")
    .filter((word) => word !== "");
}

/** The usual values of BM25: how soon more of the same word says nothing new, and how much a long text is held back. */
const SATURATION = 1.2;
const LENGTH_COUNTS = 0.75;
/** A corrected word may be another one. */
const CORRECTED = 0.8;
const MAX_WORDS = 60;
/** A query takes a few milliseconds. */
const FORMS_WITHIN_MS = 500;
