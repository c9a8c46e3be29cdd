import { Source, factsIn, fold, hasWords } from "#language";
import type { Fact } from "#language";
import type { Claim } from "../verify/claims-prompt.ts";
import type { TurnRole } from "@svc/contract/types";
import type { DropReason, Quote } from "../answer.ts";
import type { Conversation, Rubric } from "../rubric-of.ts";
import type { Secrets } from "./secrets.ts";

/** The conversation as claims refer to it: turns count from 1. */
export class Transcript {
  readonly turns: Source[];
  readonly #roles: TurnRole[];
  readonly #secrets: Secrets;

  /** @param secrets what no value may let out. */
  constructor({ turns }: Conversation, secrets: Secrets) {
    this.#secrets = secrets;
    this.turns = sourcesOf(turns);
    this.#roles = turns.map(({ role }) => role);
  }

  /** Why the quote is no evidence; undefined when it is. */
  faultOfQuote(
    { turn, quote }: Quote,
    role: TurnRole,
    { mayBeShort = false }: { mayBeShort?: boolean } = {},
  ): DropReason | undefined {
    const said = this.#turn(turn);
    if (said === undefined) return "no_such_turn";
    if (this.#roles[turn - 1] !== role) return "wrong_speaker";
    if (!said.says(quote)) return "not_heard";
    // Counted as it was said: a model may copy "don't know" as "don t know".
    if (!mayBeShort && isShort(said.excerpt(quote)) && !asksAll(said, quote)) return "too_short";
    return undefined;
  }

  faultOfValue(value: string): DropReason | undefined {
    return this.#secrets.areLetOutBy(value) ? "repeats_the_rubric" : undefined;
  }

  /** Numbers, names, dates and addresses of a value that are neither in the quoted turn nor in the one before. */
  notFound(value: string, turn: number, language: string, others: Source[] = []): string[] {
    const sources = [...this.near(turn), ...others];
    return factsIn(value, language).flatMap((fact) =>
      sources.some((source) => source.holds(fact)) ? [] : inWords(fact),
    );
  }

  /** The turn and the one before it. */
  near(turn: number): Source[] {
    return [this.#turn(turn), this.#turn(turn - 1)].filter((source) => source !== undefined);
  }

  /** The visitor's turn right after one of the agent's, which may be in several parts. */
  replyTo(turn: number): number | undefined {
    const index = this.#roles.indexOf("user", turn);
    return index < 0 ? undefined : index + 1;
  }

  /** Whether the agent's turn right before it, as heard, asks something. */
  followsQuestion(turn: number): boolean {
    return (
      this.#roles[turn - 2] === "assistant" &&
      /[?？؟\u037E]/u.test(this.#turn(turn - 1)?.text ?? "")
    );
  }

  /** The words of the turn that were quoted, as they stand there. */
  excerpt({ turn, quote }: Quote): string {
    return this.#turn(turn)?.excerpt(quote) ?? quote;
  }

  #turn(turn: number): Source | undefined {
    return this.turns[turn - 1];
  }
}

const read = new WeakMap<Conversation["turns"], Source[]>();

/** Kept as long as the conversation is: an answer is checked before its claims are verified, and after. */
function sourcesOf(turns: Conversation["turns"]): Source[] {
  const sources = read.get(turns) ?? turns.map(({ content }) => new Source(content));
  read.set(turns, sources);
  return sources;
}

/** A fact as a reader would look for it. */
export function inWords({ words, numbers }: Fact): string {
  return (words[0] ?? numbers[0] ?? "").trim();
}

/** "Webhooks signed?" is a whole question, and its words are no chance. */
function asksAll({ text }: Source, quote: string): boolean {
  if (!hasWords(quote, 2)) return false;
  const quoted = fold(quote);
  // Only from where a sentence begins: from each character, a long text without a question would be read again.
  const questions = text.match(/(?<![^.!?。！？؟])[^.!?。！？؟]+[?？؟]/gu) ?? [];
  return questions.some((one) => fold(one) === quoted);
}

/** One or two words are found in any conversation. */
function isShort(quote: string): boolean {
  return !hasWords(quote, FEWEST_WORDS);
}

const FEWEST_WORDS = 3;

/** What a claim is checked against. */
export interface Surroundings {
  rubric: Rubric;
  conversation: Conversation;
  transcript: Transcript;
  secrets: Secrets;
  /** The visitor's, one of the agent's. */
  language: string;
  /** Notes what is left out, if there is a fault; whether there is one. */
  drop(where: string, fault: DropReason | undefined): boolean;
  /**
   * Whether a claim that rules have nothing against is shown by the conversation; notes it if not.
   *
   * @param claim made only for a verifier, since its facts are looked for in every source.
   */
  isShown(where: string, claim: () => Omit<Claim, "where">): boolean;
}
