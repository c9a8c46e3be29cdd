import type { LiveOpenCard } from "@svc/contract/types";
import type { ModelUsage } from "#models";
import type { CommittedTurn, ConversationListener } from "../conversation.ts";
import { TOOL_OF } from "../signals/direction.ts";

/** Records a conversation as the visitor experiences it and as the operator's log shows it. */
export class Recording implements ConversationListener {
  /** In the order of the dialogue. */
  readonly turns: CommittedTurn[] = [];
  readonly tools: Set<string> = new Set();
  readonly contentShown: Set<string> = new Set();
  /** What was on show in each turn of the agent's: what it began with, and what came in it. By the turn's id. */
  readonly onShow: Map<string, string[]> = new Map();
  /** What is on show, and all that was since the agent's last turn. */
  #showing: string[] = [];
  /** The keys of the questions that the visitor heard. */
  readonly questionsHeard: Set<string> = new Set();
  /** The address that the visitor confirmed last, or the page handed over. */
  email: string | undefined;
  openCard: LiveOpenCard | undefined;
  endedBy: "agent" | "server_fault" | undefined;
  /** The reason why a turn had no words from the model. */
  modelFailure: string | undefined;
  #failing: string | undefined;

  turn(turn: CommittedTurn): void {
    this.turns.push(turn);
    if (turn.role !== "assistant") return;
    this.modelFailure ??= this.#failing;
    this.onShow.set(turn.id, this.#showing);
    this.#showing = this.#showing.slice(-1);
  }

  charge(): (usage: ModelUsage) => void {
    return ({ outputTokens }) => {
      // A model has answered after all: the fallback, or the same one when it was asked again.
      if (outputTokens > 0) this.#failing = undefined;
    };
  }

  usage(): void {}

  content(contentId: string): void {
    this.contentShown.add(contentId);
    this.#showing.push(contentId);
  }

  card(card: LiveOpenCard | null): void {
    this.openCard = card ?? undefined;
  }

  event(kind: string, detail: Record<string, unknown>): void {
    if (kind === "search") this.tools.add("search_knowledge");
    if (kind === "direction" && detail["done"] === true) this.#used(String(detail["name"]));
    if (kind === "model_failed") this.#failing = String(detail["why"]);
    if (kind === "question_heard") this.questionsHeard.add(String(detail["key"]));
  }

  #used(direction: string): void {
    const [, tool] = Object.entries(TOOL_OF).find(([name]) => name === direction) ?? [];
    if (tool !== undefined) this.tools.add(tool);
  }

  ended(reason: "agent_ended" | "server_fault"): void {
    this.endedBy = reason === "agent_ended" ? "agent" : reason;
  }

  // The judge ignores these events.
  action(): void {}
  state(): void {}
  partial(): void {}
  takenBack(): void {}
  language(): void {}
  visitorSpeaks(): void {}
  voiceLost(): void {}
}
