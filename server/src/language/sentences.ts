/** Splits a text into sentences, each with the space after it. Joined, they are the text. */
export function sentencesOf(text: string, language: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  let before = "";
  for (const { segment, index } of segmenterOf(language).segment(text)) {
    // The segmenter ends a sentence at every stop before a capital: "Dr. Ruiz", "z. B. Öl".
    if (
      index > 0 &&
      !ABBREVIATED.test(before.slice(-LONGEST_ABBREVIATED)) &&
      !/^\p{Ll}/u.test(segment)
    ) {
      sentences.push(text.slice(start, index));
      start = index;
    }
    before = segment;
  }
  if (start < text.length) sentences.push(text.slice(start));
  return sentences;
}

const ABBREVIATED =
  /(?<![\p{L}\p{N}'’])(?:\p{L}|dr|dra|mr|mrs|ms|mx|prof|st|no|nr|vs|approx|ca|bzw|ggf|inkl|sr|sra|mme|mlle|inc|ltd|e\.g|i\.e|z\.\s?b|p\.\s?ej|p\.\s?ex)\.\s+$/iu;

/** With the spaces behind it. Looking for one in all of a long text would take long. */
const LONGEST_ABBREVIATED = 40;

const segmenters = new Map<string, Intl.Segmenter>();

/** Creating a segmenter takes longer than using it. */
function segmenterOf(language: string): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known !== undefined) return known;
  const made = new Intl.Segmenter(language, { granularity: "sentence" });
  segmenters.set(language, made);
  return made;
}

/** Whether a text ends by asking, in any script that has a sign for it. Greek asks with a semicolon. */
export function endsInQuestion(text: string): boolean {
  return /[?？؟՞፧⁇⁈;;][\s\p{Pe}\p{Pf}"']*$/u.test(text) || ASKS_BY_PARTICLE.test(text);
}

/** Japanese and Chinese ask by a particle, and often write a full stop behind it. 「そうですか。」 asks nothing. */
const ASKS_BY_PARTICLE =
  /(?:(?<!そう)(?:です|ます|ません|でした|ました|でしょう)か|[吗嗎])[。．]?[\s\p{Pe}\p{Pf}"']*$/u;

/** Splits a text that is still being written into sentences. */
export class SentenceCutter {
  readonly #language: string;
  #rest = "";
  #mayEnd = false;

  constructor(language: string) {
    this.#language = language;
  }

  /** Returns the sentences that this piece completes. */
  push(text: string): string[] {
    this.#rest += text;
    this.#mayEnd ||= ENDS_ONE.test(text);
    if (!this.#mayEnd) return [];
    // Nothing but a letter begins a sentence: a long row of signs, one by one, would be segmented for each.
    if (!/\p{L}/u.test(text) && this.#rest.length <= LONGEST_SENTENCE) return [];
    const sentences = sentencesOf(this.#rest, this.#language);
    // Until a letter of it is there, what follows a stop may still belong to the sentence: "approx. 3 weeks".
    const last = sentences.pop() ?? "";
    if (!/\p{L}/u.test(last) && this.#rest.length <= LONGEST_SENTENCE) return [];
    this.#rest = last;
    if (last.length > LONGEST_SENTENCE) sentences.push(...this.end());
    this.#mayEnd = ENDS_ONE.test(this.#rest);
    return trimmed(sentences);
  }

  /** Returns the rest when the text has ended. */
  end(): string[] {
    const sentences = sentencesOf(this.#rest, this.#language);
    this.#rest = "";
    return trimmed(sentences);
  }
}

/** Checked first: segmenting is slow, and most pieces are a few letters. */
const ENDS_ONE = /[\p{Sentence_Terminal}…\n]/u;

/** Segmented anew with each piece: what is longer is nobody's sentence, and would take ever longer. */
const LONGEST_SENTENCE = 1_000;

function trimmed(sentences: string[]): string[] {
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== "");
}

/** One text behind another. Japanese and Chinese have no space behind a full stop. */
export function joinSentences(text: string, next: string): string {
  return text === "" || next === "" ? text + next : `${text}${gapBehind(text)}${next}`;
}

export function gapBehind(sentence: string): string {
  return FULL_WIDTH_END.test(sentence) ? "" : " ";
}

const FULL_WIDTH_END = /[。．！？」』】]$/u;
