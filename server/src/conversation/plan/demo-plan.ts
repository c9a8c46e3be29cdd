import type { Metadata } from "@svc/contract/types";
import { fold, Source } from "#language";
import { normalizeEmail } from "#sessions";
import type { CommittedTurn, ConversationOptions, DemoAgent } from "../conversation.ts";
import { saidAddress } from "../heard/said-address.ts";
import { fittingContent } from "./fitting-content.ts";
import type { EmailCardState, EmailState, Goal, PlanState, VisitorKind } from "./goal.ts";
import { isOnTopic } from "./content-words.ts";
import { readPast } from "./past.ts";
import { Questions } from "./questions.ts";
import { readVisitorTurn } from "./visitor-turn.ts";

export interface PlanOptions extends Pick<ConversationOptions, "history" | "past"> {
  mailFollows?: boolean | undefined;
  /** For the operator's log, from which `past` is read again. */
  tell?: (kind: string, detail: Record<string, unknown>) => void;
}

/**
 * What a demo has reached and what its next turn is for. The server keeps it, not the model: no
 * question is asked twice or in vain, whatever a model remembers.
 */
export class DemoPlan {
  readonly #agent: DemoAgent;
  readonly #questions: Questions;
  readonly #shown = new Set<string>();
  #email: EmailState = "unknown";
  /** Confirmed. Empty where it was confirmed in an earlier part that did not say which. */
  #address: string | undefined;
  #isEmailOffered = false;
  #mailFollows: boolean;
  #goal: Goal | undefined;
  #visitor: { kind: VisitorKind; isFarewell: boolean } = { kind: "none", isFarewell: false };
  readonly #visitorSaid: Source[] = [];
  #hasAgentSpoken = false;
  #isGoalHeard = false;
  #isGoalTried = false;
  #isGoodbyeSaid = false;
  #isTakenOver = false;
  #answersInRow = 0;
  #shownAtTurn = -Infinity;
  #tell: NonNullable<PlanOptions["tell"]> = () => {};

  constructor(agent: DemoAgent, metadata: Metadata, options: PlanOptions = {}) {
    this.#agent = agent;
    const { history = [], past = [], mailFollows = false, tell } = options;
    this.#mailFollows = mailFollows;
    this.#questions = new Questions(agent.config.questions, metadata);
    this.#address = normalizeEmail(metadata["email"] ?? "");
    if (this.#address !== undefined) this.#email = "confirmed";
    this.#recall(history, past);
    if (tell !== undefined) this.#tell = tell;
  }

  heardVisitor({ content }: { id: string; content: string }): void {
    this.#visitorSaid.push(new Source(content));
    this.#visitor = readVisitorTurn(content, (word) => isOnTopic(word, this.#agent));
    const isReply = this.#visitor.kind === "statement";
    for (const key of this.#questions.visitorReplied(isReply))
      this.#tell("question_answered", { key, by: "reply" });
    this.#startTurn();
  }

  /** @param isForGoal false for a phrase that was said in place of a model: the goal is due again. */
  heardAgent(turn: { id: string; content: string; interrupted: boolean }, isForGoal = true): void {
    this.#hasAgentSpoken = true;
    if (isForGoal) this.#goalHeard(!turn.interrupted);
    for (const key of this.#questions.agentSaid(turn, this.#goalKey))
      this.#tell("question_heard", { key, turn: turn.id });
  }

  contentShown(id: string): void {
    this.#shown.add(id);
    this.#shownAtTurn = this.#visitorTurns;
    this.#tell("content_shown", { id });
  }

  /** With `open`, the address is the confirmed one that the visitor is asked about once more. */
  emailCard(
    state: "open" | "confirmed" | "declined",
    { address, mailFollows = this.#mailFollows }: { address?: string; mailFollows?: boolean } = {},
  ): void {
    this.#setEmail(state, address);
    this.#mailFollows = mailFollows;
    const isKept = state === "declined" && this.#email === "confirmed";
    this.#tell("email_card", { state: isKept ? "kept" : state });
    if (state === "open") return;
    // The card was the visitor's turn: what comes next is a reply to it.
    this.#visitor = { kind: "none", isFarewell: false };
    this.#startTurn();
  }

  /** The visitor was away in the middle of a turn: the next one takes it up. */
  pickUp(): void {
    this.#startTurn();
    this.#isTakenOver = true;
  }

  /** False, and nothing is noted, when the visitor never said these words. */
  noteAnswer(key: string, quote: string): boolean {
    if (!this.#questions.has(key) || !this.#visitorSaid.some((turn) => turn.says(quote)))
      return false;
    if (this.#questions.answer(key, quote)) this.#tell("question_answered", { key, by: "quote" });
    return true;
  }

  /** The same until the visitor has said or done something. */
  nextGoal(): Goal {
    this.#goal ??= this.#choose();
    return this.#goal;
  }

  /** The goodbye was heard, and the agent may end the session by itself. */
  get isOver(): boolean {
    const mayEnd = this.#agent.config.tools.includes("end_session");
    return mayEnd && this.#goal?.kind === "wrap_up" && this.#isGoalHeard;
  }

  get #visitorTurns(): number {
    return this.#visitorSaid.length;
  }

  /** Which configured question a sentence asks, in whatever words. */
  questionIn(sentence: string): string | undefined {
    return this.#questions.askedIn(sentence, this.#goalKey);
  }

  /** For a sentence that asks: it is this turn's question, or none that was configured or heard. */
  mayBeAsked(sentence: string): boolean {
    return this.#questions.mayBeAsked(sentence, this.#goalKey);
  }

  /** The visitor said it, in one turn and in this order: also as "ada at example dot com". */
  wasAddressSaid(address: string): boolean {
    return this.#visitorSaid.some((turn) => hasInOrder(turn.text, address));
  }

  /** In the visitor's last turn, unless they settled a card since, or have confirmed it: that is not said anew. */
  get addressSaid(): string | undefined {
    if (this.#visitor.kind === "none") return undefined;
    const said = saidAddress(this.#visitorSaid.at(-1)?.text ?? "");
    return said === this.#address ? undefined : said;
  }

  get state(): PlanState {
    return {
      visitor: this.#visitor.kind,
      asked: this.#questions.heard,
      answered: this.#questions.answered,
      shown: [...this.#shown],
      email: this.#email,
      mail: this.#mailFollows ? "follows" : "none",
    };
  }

  get #goalKey(): string | undefined {
    return this.#goal?.kind === "ask" ? this.#goal.key : undefined;
  }

  #choose(): Goal {
    if (this.#isTakenOver) return { kind: "pick_up" };
    if (this.#visitorTurns === 0)
      return this.#hasAgentSpoken ? { kind: "answer" } : { kind: "greet" };
    if (this.#visitor.isFarewell && this.#visitorTurns > 1) return GOODBYE;

    const content = this.#contentToShow();
    if (content !== undefined) return { kind: "show", id: content.id, title: content.title };
    const question = this.#questions.next;
    const mayOffer = this.#mayOfferEmail();
    const isLed = question !== undefined || mayOffer;
    const isOwedAnswer = !["statement", "none"].includes(this.#visitor.kind);
    if (isOwedAnswer && (!isLed || this.#answersInRow < MOST_ANSWERS)) return { kind: "answer" };
    if (mayOffer && (question === undefined || this.#visitorTurns >= OFFER_AT_TURN))
      return { kind: "offer_email" };
    if (question !== undefined) return { kind: "ask", ...question };
    const isWaiting = this.#email === "open" || this.#isGoodbyeSaid;
    return this.#visitorTurns < SHORTEST_DEMO || isWaiting ? { kind: "answer" } : GOODBYE;
  }

  #contentToShow(): DemoAgent["config"]["content"][number] | undefined {
    const { content, tools } = this.#agent.config;
    const wasJustShown = this.#visitorTurns - this.#shownAtTurn < QUIET_AFTER_SHOWING;
    if (!tools.includes("show_content") || wasJustShown) return undefined;
    const rest = content.filter(({ id }) => !this.#shown.has(id));
    // Who asks about exports wants to see them; who mentions them may not.
    const fewestWords = this.#visitor.kind === "question" ? 1 : 2;
    return fittingContent(rest, this.#visitorSaid.at(-1)?.text ?? "", fewestWords);
  }

  #mayOfferEmail(): boolean {
    const isAllowed = this.#agent.config.tools.includes("ask_email");
    return isAllowed && this.#email === "unknown" && !this.#isEmailOffered;
  }

  #goalHeard(isWhole: boolean): void {
    // A turn with a tool in its middle is heard in two parts, but is one try.
    if (this.#goal?.kind === "ask" && !this.#isGoalTried) this.#questions.isTried(this.#goal.key);
    if (this.#goal?.kind === "offer_email") this.#isEmailOffered = true;
    if (this.#goal?.kind === "wrap_up" && isWhole) this.#isGoodbyeSaid = true;
    this.#isGoalTried = true;
    this.#isGoalHeard = isWhole;
  }

  /** Who closes a card that was to correct an address keeps the one they had. */
  #setEmail(state: EmailCardState, address?: string): void {
    if (state === "confirmed" || address !== undefined)
      this.#address = address ?? this.#address ?? "";
    const isKept = state === "kept" || (state === "declined" && this.#address !== undefined);
    this.#email = isKept ? "confirmed" : state;
    this.#isEmailOffered = true;
  }

  #startTurn(): void {
    this.#answersInRow = this.#goal?.kind === "answer" ? this.#answersInRow + 1 : 0;
    this.#goal = undefined;
    this.#isGoalHeard = false;
    this.#isGoalTried = false;
    this.#isTakenOver = false;
  }

  #recall(history: CommittedTurn[], past: NonNullable<PlanOptions["past"]>): void {
    const { shown, emailCards, heard, answered } = readPast(past);
    for (const id of shown) this.#shown.add(id);
    for (const state of emailCards) this.#setEmail(state);
    for (const key of answered) this.#questions.answer(key);
    this.#questions.wereHeard(heard);
    for (const turn of history) {
      if (turn.role === "user") this.heardVisitor(turn);
      else this.heardAgent(turn);
    }
    this.#isTakenOver = history.at(-1)?.role === "assistant";
  }
}

const GOODBYE: Goal = { kind: "wrap_up", because: "done" };

/** A visitor who asks and asks is answered, but the demo still leads. */
const MOST_ANSWERS = 2;
const OFFER_AT_TURN = 6;
const SHORTEST_DEMO = 4;
const QUIET_AFTER_SHOWING = 2;

function hasInOrder(text: string, words: string): boolean {
  const said = fold(text).split(" ");
  let at = -1;
  return fold(words)
    .trim()
    .split(" ")
    .every((word) => (at = said.indexOf(word, at + 1)) >= 0);
}
