import type { ModelUsage } from "#models";
import type { ConversationListener } from "#conversation";

import type { LiveUsage } from "#sessions";
import type { LiveMetrics } from "../metrics.ts";
import type { Recorder } from "./recorder.ts";
import type { Replies } from "./replies.ts";
import type { Screen } from "./screen.ts";

export interface CallListenerOptions {
  screen: Screen;
  recorder: Recorder;
  replies: Replies;
  metrics: LiveMetrics;
  /** The usage of the session before this call. */
  spent: readonly LiveUsage[];
  /** The maximum cost of the session; `null` for no limit. */
  maxCostMicros: number | null;
  note: ConversationListener["event"];
  /** It may be somebody else's turn to do something. */
  onTurnTaking: () => void;
  onVisitorSpeaks: ConversationListener["visitorSpeaks"];
  onTooExpensive: () => void;
  onEnded: ConversationListener["ended"];
}

/** Hands what happens in a conversation to the visitor's screen, to the record and to the metrics. */
export function callListener(options: CallListenerOptions): ConversationListener {
  const { screen, recorder, replies, metrics, maxCostMicros } = options;
  const spending = new Spending(options.spent);
  return {
    state: (state) => {
      screen.setState(state);
      options.onTurnTaking();
    },
    visitorSpeaks: options.onVisitorSpeaks,
    voiceLost: () => {
      metrics.voice("lost");
      screen.setMode("text");
      options.onTurnTaking();
    },
    partial: (turn) => {
      if (turn.role === "assistant") replies.said();
      screen.addPartial(turn);
    },
    turn: (turn) => {
      if (turn.role === "assistant") replies.said();
      metrics.turnCommitted(turn.role);
      recorder.add({ kind: "turn", turn });
      screen.addTurn(turn);
    },
    takenBack: (turnId) => screen.takeBack(turnId),
    content: (id) => screen.showContent(id),
    language: (code) => screen.setLanguage(code),
    card: (card) => {
      screen.openCard(card);
      options.onTurnTaking();
    },
    event: (kind, detail) => {
      if (kind === "timings") metrics.timed(detail);
      options.note(kind, detail);
    },
    usage: (model, usage) => {
      metrics.used(usage);
      recorder.add({ kind: "usage", usage: spending.add(model, usage) });
      if (maxCostMicros !== null && spending.costMicros > maxCostMicros) options.onTooExpensive();
    },
    ended: options.onEnded,
  };
}

/** The usage of a session so far, by model. */
class Spending {
  readonly #totals: Map<string, LiveUsage>;

  /** @param before by the part of the session that this one goes on from. */
  constructor(before: readonly LiveUsage[]) {
    this.#totals = new Map(before.map((total) => [total.model, total]));
  }

  /** Adds a request, and returns the model's new total. */
  add(model: string, usage: ModelUsage): LiveUsage {
    const before = this.#totals.get(model);
    const total = {
      model,
      requests: (before?.requests ?? 0) + 1,
      inputTokens: (before?.inputTokens ?? 0) + usage.inputTokens,
      outputTokens: (before?.outputTokens ?? 0) + usage.outputTokens,
      costMicros: (before?.costMicros ?? 0) + usage.costMicros,
    };
    this.#totals.set(model, total);
    return total;
  }

  get costMicros(): number {
    return [...this.#totals.values()].reduce((sum, { costMicros }) => sum + costMicros, 0);
  }
}
