import type { Random } from "@svc/tools/random";
import { phrasebooks } from "./evidence-talk.ts";
import type { Language, Said, Talk } from "./evidence-talk.ts";

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
  readonly talk: Talk;
  readonly random: Random;
  /** How often a claim is false. */
  readonly #lies: number;

  constructor(talk: Talk, random: Random) {
    this.talk = talk;
    this.random = random;
    this.#lies = random.pick([0, 0.2, 0.5, 0.9]);
  }

  isLie(): boolean {
    return this.random.chance(this.#lies);
  }

  /**
   * A claim about what was said in a turn.
   *
   * @param other a turn of the other speaker.
   * @param fields what is noted of the turn; none for bare evidence.
   */
  claim(
    said: Said,
    other: Said,
    fields: Record<string, string> = {},
    { mayBeShort = false }: { mayBeShort?: boolean } = {},
  ): Planted {
    const quoted = this.#part(said.words);
    const honest = { turn: said.turn, quote: asQuoted(quoted, this.random), ...fields };
    if (!this.isLie()) return { claim: honest, isTrue: true, quoted };
    const lies = [
      ...this.#wrongQuotes(honest, said),
      ...this.#wrongTurns(honest, other),
      ...this.#wrongForms(honest),
      ...this.#wrongValues(honest, fields),
      ...(mayBeShort ? [] : [this.short(said, fields)]),
    ];
    return { claim: this.random.pick(lies), isTrue: false, quoted };
  }

  /** Evidence of less than three words. */
  short(said: Said, fields: Record<string, string>): object {
    const words = wordsOf(said.words);
    const start = this.random.integer(0, words.length - 1);
    const two = words.slice(start, start + this.random.integer(1, 2)).join(" ");
    // A hyphen may make them three.
    const quoted = two.includes("-") ? two.replace(/ .*/, "") : two;
    return { turn: said.turn, quote: asQuoted(quoted, this.random), ...fields };
  }

  /** A fact that comes from nowhere, for a text in the language of the record. */
  madeUp(language: Language = this.talk.rubric.recordLanguage as Language): string {
    return this.talk.slots.madeUp(phrasebooks[language]);
  }

  /** Words that nobody said, in another order, a word left out, the middle of a word, no words at all. */
  #wrongQuotes(honest: object, said: Said): unknown[] {
    const words = wordsOf(said.words);
    const middle = words
      .slice(0, 3)
      .join(" ")
      .replace(/^\P{L}*\p{L}/u, "");
    return [
      `${words.slice(0, 2).join(" ")} certainly ${words.slice(2).join(" ")}`,
      ...(words.length > 3 ? [words.toReversed().join(" "), words.toSpliced(1, 1).join(" ")] : []),
      ...(/^\p{L}/u.test(middle) ? [middle] : []),
      "?!… — .",
    ].map((quote) => ({ ...honest, quote }));
  }

  /** The other speaker's words, another turn or none, and words that were generated but never heard. */
  #wrongTurns(honest: { quote: string }, other: Said): unknown[] {
    const { conversation, interrupted } = this.talk;
    const { turns } = conversation;
    const elsewhere = turns.findIndex(
      ({ content }) => !loose(content).includes(loose(honest.quote)),
    );
    return [
      { ...honest, turn: other.turn, quote: this.#part(other.words) },
      { ...honest, turn: other.turn },
      { ...honest, turn: elsewhere + 1 },
      { ...honest, turn: this.random.pick([0, -1, 1.5, turns.length + 1, 1e9, "2", null]) },
      ...(interrupted === undefined
        ? []
        : [{ ...honest, turn: interrupted.turn, quote: this.#part(interrupted.unheard) }]),
    ];
  }

  #wrongForms(honest: { turn: number }): unknown[] {
    return [
      { ...honest, quote: this.random.pick<unknown>([null, "", 7, [], {}, TOO_LONG]) },
      this.random.pick<unknown>(["yes", 7, true, [], [honest], { turn: honest.turn }]),
    ];
  }

  /** The right words beside a wrong value. */
  #wrongValues(honest: object, fields: Record<string, string>): unknown[] {
    return Object.entries(fields).flatMap(([field, value]) => [
      { ...honest, [field]: `${value}, ${this.madeUp()}` },
      { ...honest, [field]: `${this.madeUp()} ${value}` },
      { ...honest, [field]: this.random.pick<unknown>([null, "", " ", 7, ["x"], TOO_LONG]) },
    ]);
  }

  /** At least three words in a row. */
  #part(text: string): string {
    const words = wordsOf(text);
    const length = this.random.integer(Math.min(3, words.length), words.length);
    const start = this.random.integer(0, words.length - length);
    return words.slice(start, start + length).join(" ");
  }
}

/** Letters and digits alone. */
export function loose(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toUpperCase();
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/** The same words as a model may copy them. */
function asQuoted(text: string, random: Random): string {
  const ways: ((text: string) => string)[] = [
    (plain) => plain,
    (plain) => plain,
    (plain) => plain.toUpperCase(),
    (plain) => plain.toLowerCase(),
    (plain) => plain.normalize("NFC").replaceAll("’", "'"),
    (plain) => `“${plain.replace(/[.?!]$/, "")}…”`,
    (plain) => plain.replaceAll(/,/g, " —"),
    (plain) => plain.replaceAll(/[A-Za-z0-9]/g, fullWidth),
  ];
  return random.pick(ways)(text);
}

function fullWidth(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 0xfee0);
}
