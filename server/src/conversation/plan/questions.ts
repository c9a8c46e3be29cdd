import type { Metadata } from "@svc/contract/types";
import { sentencesOf } from "#language";
import { contentWords } from "./content-words.ts";
import { asksForSame, hasQuestionMark, isAbout, sameQuestion } from "./same-question.ts";

export interface Question {
  key: string;
  text: string;
}

/** The configured questions: which were heard, in which words, and which are answered. */
export class Questions {
  readonly #all: Question[];
  readonly #wordings = new Map<string, string[]>();
  readonly #answered = new Set<string>();
  /** What the visitor said in answer, where it was quoted. */
  readonly #quotes = new Map<string, string>();
  readonly #tries = new Map<string, number>();
  /** Heard questions that are none of the configured ones, as far as words can tell. */
  readonly #others: string[] = [];
  /** Heard since the visitor last said something. */
  #waiting = new Set<string>();
  /** Of an earlier part of the conversation: which turn had which question. */
  readonly #heardIn = new Map<string, string>();

  constructor(questions: Question[], metadata: Metadata) {
    this.#all = questions;
    const filled = new Set(
      Object.entries(metadata).flatMap(([name, value]) =>
        EMPTY.has(value.trim()) ? [] : plain(name),
      ),
    );
    for (const { key } of questions) if (filled.has(plain(key))) this.#answered.add(key);
  }

  has(key: string): boolean {
    return this.#all.some((question) => question.key === key);
  }

  get heard(): string[] {
    return this.#all.map(({ key }) => key).filter((key) => this.#wordings.has(key));
  }

  get answered(): string[] {
    return this.#all.map(({ key }) => key).filter((key) => this.#answered.has(key));
  }

  /** In the order of asking. */
  get open(): Question[] {
    return this.#all.filter(({ key }) => !this.#wordings.has(key) && !this.#answered.has(key));
  }

  /** The one to ask next. One that a model was told to ask and never did is given up. */
  get next(): Question | undefined {
    return this.open.find(({ key }) => (this.#tries.get(key) ?? 0) < MOST_TRIES);
  }

  /** The model was told to ask it, and has had its turn. */
  isTried(key: string): void {
    this.#tries.set(key, (this.#tries.get(key) ?? 0) + 1);
  }

  /** False when it was answered before. */
  answer(key: string, quote?: string): boolean {
    if (quote !== undefined) this.#quotes.set(key, quote);
    if (this.#answered.has(key)) return false;
    this.#answered.add(key);
    return true;
  }

  wereHeard(heard: { key: string; turn: string }[]): void {
    for (const { key, turn } of heard) {
      if (!this.has(key)) continue;
      this.#wordings.set(key, []);
      this.#heardIn.set(key, turn);
    }
  }

  /** Keys of those that a turn of the agent's asked for the first time. */
  agentSaid(
    turn: { id: string; content: string; interrupted: boolean },
    goalKey: string | undefined,
  ): string[] {
    const sentences = sentencesOf(turn.content, "en");
    const asked = new Map<string, string[]>();
    const others: string[] = [];
    for (const [index, sentence] of sentences.entries()) {
      const isCut = turn.interrupted && index === sentences.length - 1;
      if (!isCut && !hasQuestionMark(sentence)) continue;
      const key = this.#matched(sentence, goalKey);
      if (key === undefined && hasQuestionMark(sentence)) others.push(sentence);
      if (key !== undefined) asked.set(key, [...(asked.get(key) ?? []), sentence]);
    }
    const recalled = [...this.#heardIn].find(([, id]) => id === turn.id)?.[0];
    const meant = goalKey ?? recalled;
    // In other words than its own, or in another language: what is longest is no "Does that help?".
    const longest = others.toSorted((one, other) => other.length - one.length)[0];
    // A question that the visitor had just answered was not asked: "What else interests you?" is not it.
    const isOpen = meant !== undefined && !this.#answered.has(meant);
    if (isOpen && !asked.has(meant) && longest !== undefined) asked.set(meant, [longest]);
    else this.#others.push(...others.filter((one) => contentWords(one).size >= FEWEST_WORDS));
    const fresh = [...asked.keys()].filter((key) => !this.#wordings.has(key));
    for (const [key, wordings] of asked) {
      this.#wordings.set(key, [...(this.#wordings.get(key) ?? []), ...wordings]);
      this.#waiting.add(key);
    }
    return fresh;
  }

  /** Keys of those that the visitor's turn answers: a turn that is no reply leaves them open. */
  visitorReplied(isReply: boolean): string[] {
    const replied = isReply ? [...this.#waiting].filter((key) => this.answer(key)) : [];
    this.#waiting = new Set();
    return replied;
  }

  /** Whether a sentence asks nothing that was heard or answered before, and no question but the goal's. */
  mayBeAsked(sentence: string, goalKey: string | undefined): boolean {
    const key = this.askedIn(sentence, goalKey);
    if (key === undefined) return !this.#others.some((other) => sameQuestion(sentence, other) > 0);
    return key === goalKey && this.open.some((question) => question.key === key);
  }

  /** Which question a sentence asks: the goal's where several fit. */
  askedIn(sentence: string, goalKey: string | undefined): string | undefined {
    return hasQuestionMark(sentence) ? this.#matched(sentence, goalKey) : undefined;
  }

  #matched(sentence: string, goalKey: string | undefined): string | undefined {
    let best: { key: string; score: number } | undefined;
    for (const { key, text } of this.#all) {
      const wordings = [text, ...(this.#wordings.get(key) ?? [])];
      const score = Math.max(...wordings.map((wording) => sameQuestion(sentence, wording)));
      if (score === 0) continue;
      const isBetter = best === undefined || score > best.score;
      if (isBetter || (score === best?.score && key === goalKey)) best = { key, score };
    }
    return best?.key ?? this.#repliedIn(sentence) ?? this.#askedForIn(sentence, goalKey);
  }

  /** For a question about what the visitor has said already, in their own words. */
  #repliedIn(sentence: string): string | undefined {
    return [...this.#quotes].find(([, quote]) => isAbout(sentence, quote))?.[0];
  }

  /** For a question in words of its own or in another language. */
  #askedForIn(sentence: string, goalKey: string | undefined): string | undefined {
    const fitting = this.#all.filter(({ text }) => asksForSame(sentence, text));
    return (fitting.find(({ key }) => key === goalKey) ?? fitting[0])?.key;
  }
}

const MOST_TRIES = 2;

/** What a page passes for something that it does not know: null and the like arrive encoded. */
const EMPTY = new Set(["", "null", "[]", "{}"]);

/** "Shall I show you?" may come again. */
const FEWEST_WORDS = 3;

/** `monthlyVisitors` answers `monthly_visitors`. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
