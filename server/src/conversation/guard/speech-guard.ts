import { Source, figuresIn, cutAtWord, wordCount } from "#language";
import type { Metadata } from "@svc/contract/types";
import type { DemoAgent } from "../conversation.ts";
import { sectionsUsed } from "../plan/content-words.ts";
import { phrases } from "../phrases.ts";
import type { DemoPlan } from "../plan/demo-plan.ts";
import { MOST_WORDS } from "../plan/goal.ts";
import type { Goal } from "../plan/goal.ts";
import { hasQuestionMark, sameQuestion } from "../plan/same-question.ts";
import { agentTexts, speaksOfMoney } from "./agent-texts.ts";
import type { AgentTexts } from "./agent-texts.ts";
import { tellsSecret } from "./tells-secret.ts";

export interface GuardOptions {
  agent: DemoAgent;
  plan: DemoPlan;
  language: string;
  metadata: Metadata;
  /** All that was heard in the conversation so far, from both sides. */
  said: () => string[];
}

export type DropReason =
  | "asks_again"
  | "asks_too_much"
  | "repeats_instructions"
  | "ungrounded"
  | "too_long"
  | "no_words";

/**
 * Hears each sentence of the model's before anybody else does. What a model was talked into does not
 * leave it: what is hidden, what stands nowhere, what was asked already.
 */
export class SpeechGuard {
  readonly #options: GuardOptions;
  #goal: Goal = { kind: "answer" };
  #dropped: { why: DropReason }[] = [];
  #admitted: string[] = [];
  #isReplaced = false;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  startTurn(goal: Goal): void {
    this.#goal = goal;
    this.#dropped = [];
    this.#admitted = [];
    this.#isReplaced = false;
  }

  /** What may be said of it, or undefined. */
  admit(sentence: string): string | undefined {
    const text = plainSpeech(sentence);
    const why = this.#fault(text);
    if (why === undefined) return this.#take(cutAtWord(text, LONGEST_SENTENCE));
    this.#dropped.push({ why });
    if (why !== "ungrounded" || this.#isReplaced || !this.#isAnswerOwed()) return undefined;
    this.#isReplaced = true;
    return this.#take(phrases(this.#options.language).doNotKnow);
  }

  /** What was held back in this turn. */
  dropped(): { why: DropReason }[] {
    return this.#dropped;
  }

  #take(text: string): string {
    this.#admitted.push(text);
    return text;
  }

  #fault(text: string): DropReason | undefined {
    if (wordCount(text) === 0) return "no_words";
    const { agent, said } = this.#options;
    const isQuestion = hasQuestionMark(text);
    if (tellsSecret(text, this.#admitted.at(-1) ?? "", agentTexts(agent), said()))
      return "repeats_instructions";
    if (isQuestion && !this.#mayBeAsked(text)) return "asks_again";
    if (isQuestion && this.#asked.length >= MOST_QUESTIONS) return "asks_too_much";
    if (!this.#fits(text, isQuestion)) return "too_long";
    return this.#isGrounded(text) ? undefined : "ungrounded";
  }

  get #asked(): string[] {
    return this.#admitted.filter(hasQuestionMark);
  }

  #mayBeAsked(text: string): boolean {
    const { plan } = this.#options;
    const key = plan.questionIn(text);
    const isSame = (asked: string): boolean =>
      sameQuestion(asked, text) > 0 || (key !== undefined && plan.questionIn(asked) === key);
    return plan.mayBeAsked(text) && !this.#asked.some(isSame);
  }

  /** The first sentence always does. Room is kept for a question that is the goal: it comes last. */
  #fits(text: string, isQuestion: boolean): boolean {
    if (this.#admitted.length === 0) return true;
    const words = wordCount([...this.#admitted, text].join(" "));
    if (this.#goal.kind !== "ask") return words <= MOST_WORDS;
    return words <= (isQuestion ? LONGEST_SENTENCE : MOST_WORDS - wordCount(this.#goal.text));
  }

  #isGrounded(text: string): boolean {
    const { agent, language, metadata, said } = this.#options;
    // A model may fall into English, or into the agent's own language.
    const languages = [...new Set([language, agent.config.defaultLanguage, "en"])];
    const told = (): string[] => [...Object.values(metadata), ...said()];
    return isGrounded(text, languages, agentTexts(agent), told);
  }

  /** Without a question, or behind an answer, "I don't know that" would answer nothing. */
  #isAnswerOwed(): boolean {
    const { agent, plan } = this.#options;
    const hasAnswered = sectionsUsed(this.#admitted.join(" "), agent).length > 0;
    return plan.state.visitor === "question" && !hasAnswered;
  }
}

const LONGEST_SENTENCE = 60;
/** The one that is the goal, and one of courtesy. */
const MOST_QUESTIONS = 2;

/**
 * Whether every number, date, link and address of a sentence stands in the agent's texts or was told
 * in the conversation.
 *
 * @param languages those that the sentence may be in: each has number words of its own.
 */
function isGrounded(
  sentence: string,
  languages: string[],
  { open, prices }: AgentTexts,
  told: () => string[],
): boolean {
  const figures = languages.flatMap((language) => figuresIn(sentence, language));
  if (figures.length === 0) return true;
  // A visitor can name any price. Only the owner's own is an offer.
  const sources = speaksOfMoney(sentence) ? prices : [...open, new Source(told().join("\n"))];
  return figures.every((figure) => sources.some((source) => source.holds(figure)));
}

/** A sentence as it can be spoken: without the signs of markdown, without emoji, on one line. */
function plainSpeech(sentence: string): string {
  return sentence
    .slice(0, LONGEST)
    .toWellFormed()
    .replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
    .replaceAll(/^\s*(?:#{1,6}|[-*•>]|\d+[.)])\s+/gm, "")
    .replaceAll(/\*\*|__|`+|~~|(?<!\p{L})[*_]|[*_](?!\p{L})/gu, "")
    .replaceAll(/[\p{Extended_Pictographic}\u{FE0F}\u{200D}]+/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** More is never said, and patterns take long on a model's endless lines. */
const LONGEST = 2_000;
