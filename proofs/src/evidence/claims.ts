import type { Random } from "@svc/tools/random";
import { asQuoted } from "./disguise.ts";
import { phrasebooks } from "./phrases/phrasebooks.ts";
import type { Language } from "./phrases/phrasebooks.ts";
import type { Said, Talk } from "./talk.ts";

/** What a model says of a turn, and whether it is true because it was made so. */
export interface Planted {
  claim: unknown;
  isTrue: boolean;
  /** Of a true one: the words of the turn that it quotes. */
  quoted: string;
}

const TOO_LONG = "so ".repeat(2_000);

/** Makes claims about a talk, some true and some false in one way each. */
export class ClaimMaker {
  readonly #talk: Talk;
  readonly #random: Random;
  /** How often a claim is false. */
  readonly #lies: number;

  constructor(talk: Talk, random: Random) {
    this.#talk = talk;
    this.#random = random;
    this.#lies = random.pick([0, 0.2, 0.5, 0.9]);
  }

  isLie(): boolean {
    return this.#random.chance(this.#lies);
  }

  /**
   * Of what was said in a turn; `fields` is what is written down of it, none for bare evidence.
   *
   * @param other a turn of the other one's.
   */
  claim(
    said: Said,
    other: Said,
    fields: Record<string, string>,
    { mayBeShort = false }: { mayBeShort?: boolean } = {},
  ): Planted {
    const quoted = this.#part(said.words);
    const honest = { turn: said.turn, quote: asQuoted(quoted, this.#random), ...fields };
    if (!this.isLie()) return { claim: honest, isTrue: true, quoted };
    const falsehoods = this.#falsehoods(honest, said, other, fields);
    if (!mayBeShort) falsehoods.push(this.short(said, fields).claim);
    return { claim: this.#random.pick(falsehoods), isTrue: false, quoted };
  }

  /** Evidence of less than three words. */
  short(said: Said, fields: Record<string, string>): { claim: unknown; quoted: string } {
    const words = wordsOf(said.words);
    const start = this.#random.integer(0, words.length - 1);
    const two = words.slice(start, start + this.#random.integer(1, 2)).join(" ");
    // A hyphen may make them three.
    const quoted = two.includes("-") ? two.replace(/ .*/, "") : two;
    return { claim: { turn: said.turn, quote: asQuoted(quoted, this.#random), ...fields }, quoted };
  }

  #falsehoods(
    honest: { turn: number; quote: string },
    said: Said,
    other: Said,
    fields: Record<string, string>,
  ): unknown[] {
    const { turns } = this.#talk.conversation;
    const [field] = Object.keys(fields);
    const words = wordsOf(said.words);
    const { cutOff } = this.#talk;
    const elsewhere = turns.findIndex(
      ({ content }) => !loose(content).includes(loose(honest.quote)),
    );
    const inner = words
      .slice(0, 3)
      .join(" ")
      .replace(/^\P{L}*\p{L}/u, "");
    return [
      // Words that nobody said, a word left out, a word of the middle of another.
      { ...honest, quote: `${words.slice(0, 2).join(" ")} certainly ${words.slice(2).join(" ")}` },
      ...(words.length > 3
        ? [words.toReversed(), words.toSpliced(1, 1)].map((wrong) => ({
            ...honest,
            quote: wrong.join(" "),
          }))
        : []),
      ...(/^\p{L}/u.test(inner) ? [{ ...honest, quote: inner }] : []),
      { ...honest, quote: "?!… — ." },
      // Somebody else's words.
      { ...honest, turn: other.turn, quote: this.#part(other.words) },
      { ...honest, turn: other.turn },
      // Another turn, or none.
      { ...honest, turn: elsewhere + 1 },
      { ...honest, turn: this.#random.pick([0, -1, 1.5, turns.length + 1, 1e9, "2", null]) },
      // Generated, never heard.
      ...(cutOff === undefined
        ? []
        : [{ ...honest, turn: cutOff.turn, quote: this.#part(cutOff.unheard) }]),
      // Not of the form.
      { ...honest, quote: this.#random.pick<unknown>([null, "", 7, [], {}, TOO_LONG]) },
      this.#random.pick<unknown>(["yes", 7, true, [], [honest], { turn: honest.turn }]),
      ...(field === undefined
        ? []
        : [
            // The right words beside a wrong value.
            { ...honest, [field]: `${fields[field]}, ${this.madeUp()}` },
            { ...honest, [field]: `${this.madeUp()} ${fields[field]}` },
            {
              ...honest,
              [field]: this.#random.pick<unknown>([null, "", " ", 7, ["x"], TOO_LONG]),
            },
          ]),
    ];
  }

  /** A fact that comes from nowhere, for a text in the language of the record. */
  madeUp(language: Language = this.#talk.rubric.recordLanguage as Language): string {
    return this.#talk.slots.madeUp(phrasebooks[language]);
  }

  /** At least three words in a row. */
  #part(text: string): string {
    const words = wordsOf(text);
    const length = this.#random.integer(Math.min(3, words.length), words.length);
    const start = this.#random.integer(0, words.length - length);
    return words.slice(start, start + length).join(" ");
  }
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/** Letters and digits alone. */
export function loose(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toUpperCase();
}
