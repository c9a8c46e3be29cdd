import { shownName } from "#agents";
import { newUuid, storable } from "#platform";
import type { Traceparent } from "#platform";
import type { Conversation, ConversationListener } from "#conversation";
import type { LiveCloseName } from "@svc/contract/live-close-codes";
import type {
  AgentMode,
  LiveCardResult,
  LivePlaceResult,
  LiveRating,
  LiveRoomState,
  LiveStepTo,
} from "@svc/contract/types";
import type { WsMedia } from "../media/ws-media.ts";
import type { LiveMetrics } from "../metrics.ts";
import { answerCard } from "./screen.ts";
import { hearText } from "./replies.ts";
import type { Line, VisitorMessage } from "./line.ts";
import type { Recorder } from "./recorder.ts";
import type { Replies } from "./replies.ts";
import type { Screen } from "./screen.ts";
import type { SessionBudget } from "./session-budget.ts";
import type { SilenceWatch } from "./silence-watch.ts";
import type { VisitorMail } from "./visitor-mail.ts";

export type CallPhase = "talking" | "wrapping_up" | "ending" | "over";

export interface SwitchboardOptions {
  sessionId: string;
  traceparent: Traceparent;
  conversation: Conversation;
  /** Once they have talked by voice. */
  media: () => WsMedia | undefined;
  screen: Screen;
  recorder: Recorder;
  budget: SessionBudget;
  replies: Replies;
  mail: VisitorMail;
  silence: SilenceWatch;
  metrics: LiveMetrics;
  note: ConversationListener["event"];
  phase: () => CallPhase;
  /** A failure of it ends the call. */
  watch: (work: Promise<void>) => void;
  close: (why: LiveCloseName) => void;
  line: Pick<Line, "hold" | "release">;
  /** Something of the scene has changed. */
  onScene: () => void;
  onSeen: () => void;
  onSwitch: (mode: AgentMode) => void;
  onRoom: (message: LiveRoomState) => void;
  onEnd: () => void;
}

/** The maximum number of unanswered messages. Nobody types faster than the agent can be interrupted, so more come from a program. */
const MAX_UNANSWERED = 10;

/** Hands what comes from the browser to whom it concerns. */
export class Switchboard {
  readonly #options: SwitchboardOptions;
  /** Which of the visitor's messages becomes which turn. */
  readonly #typed = new Map<string, number>();
  #rated = false;
  #hasMicrophone = false;

  constructor(options: SwitchboardOptions) {
    this.#options = options;
  }

  sound(bytes: Buffer): void {
    const { screen, close, note } = this.#options;
    const media = this.#options.media();
    if (media === undefined) return close("notJson");
    // Sound that is still in transit when the visitor has changed to text is ignored.
    if (screen.mode !== "voice") return;
    if (!media.hear(bytes)) return close("badFrame");
    if (!this.#hasMicrophone) note("microphone", {});
    this.#hasMicrophone = true;
  }

  message(message: VisitorMessage): void {
    const { phase, conversation } = this.#options;
    const media = this.#options.media();
    // May follow the end.
    if (message.type === "rating") return this.#rate(message);
    // The browser's own doing, no sign of the visitor; the end waits for where the sound stopped.
    if (message.type === "playback") return media?.played(message);
    if (message.type === "cleared") return media?.cleared(message);
    // Whoever goes on with the call is sent it again.
    if (phase() === "ending") return this.#options.line.hold(message.seq);
    if (phase() === "over") return;
    if (message.type === "room") return this.#options.onRoom(message);
    if (message.type === "place_result") return this.#settlePlace(message);
    if (message.type === "page_actions") return conversation.offerActions(message.names);
    if (message.type === "action_result") return conversation.settleAction(message);
    this.#options.onSeen();
    this.#act(message);
  }

  #act(
    message: Extract<
      VisitorMessage,
      {
        type: "text" | "card_result" | "visibility" | "mute" | "step" | "switch" | "end" | "typing";
      }
    >,
  ): void {
    const { silence, budget, watch, onSwitch, onEnd } = this.#options;
    switch (message.type) {
      case "text":
        return this.#hear(storable(message.text), message.seq);
      case "card_result":
        if (!budget.takeCard()) return undefined;
        this.#options.line.hold(message.seq);
        return watch(this.#answerCard(message).finally(() => silence.look()));
      case "visibility":
        return silence.setVisible(message.visible);
      case "mute":
        return this.#options.media()?.mute(message.muted);
      case "switch":
        return onSwitch(message.mode);
      case "end":
        this.#options.line.hold(message.seq);
        return onEnd();
      case "typing":
        return this.#options.conversation.stirred();
      case "step":
        return this.#step(message);
    }
  }

  #answerCard(result: LiveCardResult): Promise<void> {
    const { phase, line } = this.#options;
    const onTaken = (): void => line.release(result.seq);
    return answerCard(result, {
      ...this.#options,
      onTaken,
      isTalking: () => phase() === "talking",
    });
  }

  #settlePlace(result: LivePlaceResult): void {
    const { screen, conversation, onScene } = this.#options;
    const id = screen.settlePlace(result);
    if (id === undefined) return;
    conversation.settlePlace(id, result.state);
    onScene();
  }

  #step({ id, at, cue }: LiveStepTo): void {
    const { screen, conversation, budget, note, onScene } = this.#options;
    conversation.stirred();
    const name = shownName(id, at);
    if (!screen.stepTo(name, cue)) return;
    conversation.visitorShowed(name);
    if (budget.takeStep()) note("content_shown", { id: name, by: "visitor" });
    onScene();
  }

  /** The turn of a typed message has been handed to the record. */
  committed(turnId: string): void {
    const seq = this.#typed.get(turnId);
    if (seq === undefined) return;
    this.#typed.delete(turnId);
    this.#options.line.release(seq);
  }

  #hear(text: string, seq: number): void {
    const { phase, replies, budget, close, watch } = this.#options;
    if (text.trim() === "" || phase() !== "talking") return;
    if (replies.owed === MAX_UNANSWERED) return close("tooFast");
    if (!budget.takeText(text)) return undefined;
    const id = newUuid();
    this.#typed.set(id, seq);
    this.#options.line.hold(seq);
    watch(hearText(text, { ...this.#options, id }));
  }

  #rate({ stars, comment }: LiveRating): void {
    if (this.#rated) return;
    this.#rated = true;
    this.#options.note("rating", { stars, ...(comment !== undefined && { comment }) });
  }
}
