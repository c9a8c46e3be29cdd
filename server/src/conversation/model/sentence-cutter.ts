import { sentencesOf } from "#evaluation";

/** Cuts a text that is still being written into sentences. */
export class SentenceCutter {
  readonly #language: string;
  #rest = "";

  constructor(language: string) {
    this.#language = language;
  }

  /** The sentences that are complete with this piece. */
  push(text: string): string[] {
    this.#rest += text;
    if (!ENDS_ONE.test(this.#rest)) return [];
    const sentences = sentencesOf(this.#rest, this.#language);
    // Until a letter of it is there, what follows a stop may still belong to the sentence: "approx. 3 weeks".
    if (!/\p{L}/u.test(sentences.at(-1) ?? "")) return [];
    this.#rest = sentences.pop() ?? "";
    return trimmed(sentences);
  }

  /** What is left when nothing more comes. */
  end(): string[] {
    const sentences = sentencesOf(this.#rest, this.#language);
    this.#rest = "";
    return trimmed(sentences);
  }
}

/** Cutting takes longer than looking, and most pieces are a few letters. */
const ENDS_ONE = /[\p{Sentence_Terminal}…\n]/u;

function trimmed(sentences: string[]): string[] {
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== "");
}
