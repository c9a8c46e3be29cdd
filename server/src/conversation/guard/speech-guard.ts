import type { Metadata } from "@svc/contract/types";
import type { DemoAgent } from "../conversation.ts";
import { sectionsUsed } from "../knowledge/sections-used.ts";
import { phrases } from "../phrases.ts";
import type { DemoPlan } from "../plan/demo-plan.ts";
import { MOST_WORDS } from "../plan/goal.ts";
import type { Goal } from "../plan/goal.ts";
import { hasQuestionMark, sameQuestion } from "../plan/same-question.ts";
import { agentTexts } from "./agent-texts.ts";
import { isGrounded } from "./is-grounded.ts";
import { plainSpeech } from "./plain-speech.ts";
import { tellsSecret } from "./tells-secret.ts";
import { cutAtWord, wordCount } from "./word-count.ts";

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
