import type { ConversationListener } from "#conversation";
import type { LiveMetrics } from "../metrics.ts";
import type { Recorder } from "./recorder.ts";
import type { Replies } from "./replies.ts";
import type { Screen } from "./screen.ts";
import type { SessionBudget } from "./session-budget.ts";

export interface CallListenerOptions {
  screen: Screen;
  recorder: Recorder;
  replies: Replies;
  metrics: LiveMetrics;
  budget: SessionBudget;
  note: ConversationListener["event"];
  /** Something of the scene has changed. `isSmall`: only what was heard of the turn under way. */
  onScene: (isSmall?: boolean) => void;
  /** A turn is with the recorder. */
  onTurn: (turnId: string) => void;
  /** It may be somebody else's turn to do something. */
  onTurnTaking: () => void;
  onVoiceLost: () => void;
  onVisitorSpeaks: ConversationListener["visitorSpeaks"];
  onEnded: ConversationListener["ended"];
}

/** Hands what happens in a conversation to the visitor's screen, to the record and to the metrics. */
export function callListener(options: CallListenerOptions): ConversationListener {
  const { screen, recorder, replies, metrics, budget } = options;
  return {
    state: (state) => {
      screen.setState(state);
      options.onScene();
      options.onTurnTaking();
    },
    visitorSpeaks: options.onVisitorSpeaks,
    voiceLost: () => {
      metrics.voice("lost");
      screen.setMode("text");
      options.onVoiceLost();
      options.onScene();
      options.onTurnTaking();
    },
    partial: (turn) => {
      if (turn.role === "assistant") replies.said();
      screen.addPartial(turn);
      if (turn.role === "assistant") options.onScene(screen.mode === "voice");
    },
    turn: (turn) => {
      if (turn.role === "assistant") replies.said();
      metrics.turnCommitted(turn.role);
      recorder.add({ kind: "turn", turn });
      options.onTurn(turn.id);
      options.onScene();
      budget.addTurn(turn);
      screen.addTurn(turn);
    },
    takenBack: (turnId) => screen.takeBack(turnId),
    content: (id) => {
      screen.showContent(id);
      options.onScene();
    },
    action: (action) => screen.run(action),
    language: (code) => screen.setLanguage(code),
    card: (card) => {
      screen.openCard(card);
      options.onScene();
      options.onTurnTaking();
    },
    event: (kind, detail) => {
      if (kind === "timings") metrics.timed(detail);
      if (kind === "sources") screen.cite(detail);
      options.note(kind, detail);
    },
    charge: budget.charge,
    usage: (model, usage) => budget.add(model, usage),
    ended: options.onEnded,
  };
}
