import type { DemoAgent, SearchKnowledge } from "#agents";
import type { Clock } from "#platform";
import type { Account, Charge, ModelUsage, ModelMessage, ToolCall, ToolOffer } from "#models";
import type {
  LiveAction,
  LiveActionResult,
  LiveAddressDoubt,
  LiveAgentState,
  LiveOpenCard,
  LivePlaceResult,
  Metadata,
} from "@svc/contract/types";
import type { AskVerifier } from "./guard/verifier.ts";
import type { SignalledSentence } from "./signals/signal-reader.ts";
import type { Speech } from "./speech/speech.ts";

export type { DemoAgent } from "#agents";
export type { Speech } from "./speech/speech.ts";

/**
 * A demo in progress: one visitor, one agent. It knows nothing of sockets or of storage; what
 * happens in it is told to a listener, in the order in which it happens.
 */
export interface Conversation {
  /** Greets the visitor. With a history, continues from its end as `pickUp` does, with a word about the silence. */
  begin(): Promise<void>;
  /** Takes what the visitor typed. Interrupts the current reply; resolves when the new one is complete. `id`: of its turn. */
  hear(text: string, id?: string): Promise<void>;
  /** The agent's turn that is under way. */
  readonly unfinished: UnfinishedTurn | undefined;
  /** Takes what the visitor did with the open card. An address is confirmed here and nowhere else. */
  settleCard(result: CardResult): Promise<void>;
  /** Takes what became of a place on the visitor's page. */
  settlePlace(id: string, state: LivePlaceResult["state"]): void;
  /** The visitor went to a step of a tour, such as `booking/2`. */
  visitorShowed(name: string): void;
  /** A new page is before the visitor; what it can do is told by `offerActions`. */
  pageChanged(): void;
  /** What the visitor's page can do, by the names that it has registered. */
  offerActions(names: readonly string[]): void;
  /** Takes what became of an action. */
  settleAction(result: Omit<LiveActionResult, "type" | "seq">): void;
  /** Opens the card for the address again: its domain accepts no mail. The agent says nothing about it. */
  doubtEmail(address: string, doubt: LiveAddressDoubt): void;
  /** Continues after a lost connection: answers the visitor's last turn, resumes an interrupted one of the agent's, or waits. */
  pickUp(): Promise<void>;
  /** Switches to voice or to text. Interrupts the current reply. */
  setVoice(voice: ConversationVoice | undefined): Promise<void>;
  /** The visitor has said nothing for so long: the agent may say something. */
  nudge(silentSecs: number): Promise<void>;
  /** The visitor is writing: a goodbye does not end the conversation yet. */
  stirred(): void;
  /** Says goodbye because the session's time or cost limit is reached. The agent is silent from then on. */
  wrapUp(because: "time" | "cost"): Promise<void>;
  /** Interrupts the current reply because the visitor has left. The words that were heard stay in the transcript. */
  interrupt(): Promise<void>;
  close(): Promise<void>;
  /**
   * Sums up for the visitor what they said and saw, in at most three sentences; after `close`. Empty
   * where the visitor said nothing, and where no model has anything to say that the guard lets through.
   */
  recap(signal: AbortSignal): Promise<string[]>;
}

export interface ConversationListener {
  state(state: LiveAgentState): void;
  /** Called when the visitor starts and stops speaking. */
  visitorSpeaks(speaking: boolean): void;
  /** Called when speech has failed for good. The conversation continues in text. */
  voiceLost(): void;
  /** The text of an unfinished turn so far. */
  partial(turn: { id: string; role: "user" | "assistant"; text: string }): void;
  /** A finished turn, with the words that were heard. Never empty. */
  turn(turn: CommittedTurn): void;
  /** Withdraws a partial turn of which nothing was heard. */
  takenBack(turnId: string): void;
  content(contentId: string): void;
  /** The visitor's page does this now. */
  action(action: Omit<LiveAction, "type" | "seq">): void;
  /** The agent follows the visitor into another language, from the next word on. */
  language(code: string): void;
  card(card: LiveOpenCard | null): void;
  /** For the operator only: state, directions, vetoes, timings. No words of the conversation beyond what `detail` needs. */
  event(kind: string, detail: Record<string, unknown>): void;
  /** A request to a model is about to be sent. */
  charge: Charge;
  /** Speech was heard or spoken. */
  usage(model: string, usage: ModelUsage): void;
  /** The agent has said goodbye, or the model cannot be reached any more. */
  ended(reason: "agent_ended" | "server_fault"): void;
}

export interface CommittedTurn {
  /** Unique in the session. */
  id: string;
  role: "user" | "assistant";
  content: string;
  interrupted: boolean;
  at: Date;
}

/** A turn of the agent's of which more may be heard. */
export interface UnfinishedTurn {
  id: string;
  at: Date;
  /** All that was made of it so far, and how much of that was heard or read. */
  text: string;
  heard: number;
  /** True when nothing follows the text. */
  isWhole: boolean;
  /** By voice: how much of the text has been heard at which position of its sound, in order. */
  marks?: [atMs: number, length: number][];
}

export type CardResult =
  | {
      cardId: string;
      action: "confirmed";
      address: string;
      /** See `ConversationOptions`. Absent: as before. */
      mailFollows?: boolean;
    }
  /** Yes to an action. */
  | { cardId: string; action: "agreed" }
  | { cardId: string; action: "dismissed" };

export interface ConversationOptions {
  agent: DemoAgent;
  language: string;
  /** Present in a conversation by voice. The visitor may still type. */
  voice?: ConversationVoice | undefined;
  metadata: Metadata;
  /**
   * A mail is sent after the conversation, to the address that the visitor has confirmed or will
   * confirm. Unless it is true, the agent promises none.
   */
  mailFollows?: boolean;
  /** An earlier conversation that the visitor goes on from: its turns and the operator's log. It is over. */
  before?: { turns: CommittedTurn[]; events: LoggedEvent[] } | undefined;
  /** Turns of an earlier part of the same conversation. */
  history?: CommittedTurn[];
  /** The entries of the operator's log for that part: which content was shown, which card was answered. */
  past?: LoggedEvent[];
  /** The card that it left open. */
  card?: LiveOpenCard | undefined;
  listener: ConversationListener;
  models: ConversationModels;
  /** What is left of the session's time. */
  leftMs?: number;
  /** How long the visitor may object to a goodbye; zero where nobody could. */
  goodbyeMs?: number;
  /** For knowledge that is too large for the prompt. */
  searchKnowledge: SearchKnowledge;
  clock: Clock;
}

/** An entry of the operator's log. */
export interface LoggedEvent {
  kind: string;
  detail: Record<string, unknown>;
}

/** The dependencies of a conversation by voice. A `media` serves one conversation. */
export interface ConversationVoice {
  media: Media;
  speech: Speech;
  /** The account whose troubles with a vendor these are. */
  account?: Account;
}

/** The language models of a process, shared by its conversations. */
export interface ConversationModels {
  /** The one that is asked first, for traces. */
  readonly name?: string;
  /** False while none of them can be reached. */
  readonly answers: boolean;
  /** How long a visitor waits for words before they are asked for a moment; absent where models answer at once. */
  readonly signOfLifeMs?: number | undefined;
  /** Throws `ModelAway` or `ModelRefused` when none of them had anything to say. */
  reply(request: ReplyRequest): Promise<void>;
  /** Returns a model's opinion about one sentence. Absent where no model checks them. */
  verify?: AskVerifier | undefined;
}

/** Asks a model for the agent's next words and tool calls, which are handed over as they arrive. */
export interface ReplyRequest {
  messages: ModelMessage[];
  tools: ToolOffer[];
  toolChoice: "auto" | "none";
  language: string;
  signal: AbortSignal;
  account?: Account;
  /** Called at the first token. */
  onFirstToken?(): void;
  /** A whole sentence, with the directions in it. */
  onSentence(sentence: SignalledSentence): void;
  onToolCall(call: ToolCall): void;
  /** Called for each request that is sent, also to the fallback. */
  charge?: Charge;
  /** Called when a model fails. The fallback may still answer. */
  onTrouble(model: string, error: unknown): void;
}

/**
 * The sound channel between a visitor and the agent. One segment is played at a time: it begins with
 * its first frame and ends with `finished` or `cleared`.
 */
export interface Media {
  /** Must be called first. A second call replaces the listener. */
  open(listener: MediaListener): void;
  /** Plays sound: 24 kHz, mono. Frames may arrive faster than they are played. */
  frame(pcm: Int16Array): void;
  /** The segment is complete. Answered by `finished`, once all of it was played. */
  flush(): void;
  /** Stops at once and drops what was not played. Always answered by `cleared`; ends a pause. */
  clear(): void;
  /** Answered by `paused`, where something was playing. A second one does nothing. */
  pause(): void;
  resume(): void;
}

/** The events of `Media`. Positions are relative to the current segment. */
export interface MediaListener {
  /** The visitor's microphone: 512 samples of 16 kHz mono, in a buffer of their own. */
  microphone(pcm: Int16Array): void;
  /** The visitor hears the beginning of a segment. */
  started(): void;
  position(ms: number): void;
  paused(ms: number): void;
  finished(ms: number): void;
  cleared(ms: number): void;
}
