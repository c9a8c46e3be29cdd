import type { DemoAgent, KnowledgeSection } from "#agents";
import type { Clock } from "#platform";
import type { ModelUsage, ModelMessage, ToolCall, ToolOffer } from "#models";
import type { LiveAgentState, LiveOpenCard, Metadata } from "@svc/contract/types";
import type { Speech } from "./speech/speech.ts";

export type { DemoAgent, KnowledgeSection } from "#agents";
export type { Speech } from "./speech/speech.ts";

/**
 * A demo in progress: one visitor, one agent. It knows nothing of sockets or of storage; what
 * happens in it is told to a listener, in the order in which it happens.
 */
export interface Conversation {
  /** Greets. With a history, goes on from its end: answers what is owed, otherwise waits. */
  begin(): Promise<void>;
  /** What the visitor typed. Cuts a reply that is still coming; resolves when the reply to it is complete. */
  hear(text: string): Promise<void>;
  /** What the visitor did with the open card. An address is confirmed here and nowhere else. */
  settleCard(result: CardResult): Promise<void>;
  /** The visitor is back after a loss: answers what is owed, takes up what was cut, or waits. */
  pickUp(): Promise<void>;
  /** Goes on by voice, or in text. What is being said is cut. */
  setVoice(voice: ConversationVoice | undefined): Promise<void>;
  /** The visitor has said nothing for a while: asks whether they are still there. */
  nudge(): Promise<void>;
  /** Says in the agent's words that time or money is up, and stays silent from then on. */
  wrapUp(because: "time" | "cost"): Promise<void>;
  /** Cuts what is being said: the visitor is gone. What was heard stays. */
  interrupt(): Promise<void>;
  close(): Promise<void>;
}

export interface ConversationListener {
  state(state: LiveAgentState): void;
  /** The visitor's voice is heard, or not any more. */
  visitorSpeaks(speaking: boolean): void;
  /** Speech is gone for good: from now on the conversation goes on in text. */
  voiceLost(): void;
  /** What has been said of a turn so far. */
  partial(turn: { id: string; role: "user" | "assistant"; text: string }): void;
  /** A committed turn, as it was heard. Never empty. */
  turn(turn: CommittedTurn): void;
  /** A turn of which nothing was heard after all. */
  takenBack(turnId: string): void;
  content(contentId: string): void;
  card(card: LiveOpenCard | null): void;
  /** For the operator only: tools, goals, timings, guards. No words of the conversation beyond what `detail` needs. */
  event(kind: string, detail: Record<string, unknown>): void;
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

export type CardResult =
  | { cardId: string; action: "confirmed"; address: string }
  | { cardId: string; action: "dismissed" };

export interface ConversationOptions {
  agent: DemoAgent;
  language: string;
  /** Present when they talk by voice. What is typed is heard too. */
  voice?: ConversationVoice | undefined;
  metadata: Metadata;
  /** Turns of an earlier part of the same conversation. */
  history?: CommittedTurn[];
  /** What the operator's log says of that part: which content was shown, which card was answered. */
  past?: { kind: string; detail: Record<string, unknown> }[];
  listener: ConversationListener;
  models: ConversationModels;
  /** For knowledge that is too large for the prompt. */
  searchKnowledge: (query: string) => Promise<KnowledgeSection[]>;
  clock: Clock;
}

/** What a talk by voice needs. Each `media` carries one. */
export interface ConversationVoice {
  media: Media;
  speech: Speech;
}

/** The language models of a process, shared by its conversations. */
export interface ConversationModels {
  /** False while none of them can be reached. */
  readonly answers: boolean;
  /** Throws `ModelAway` or `ModelRefused` when none of them had anything to say. */
  reply(request: ReplyRequest): Promise<void>;
}

/** Asks for what the agent says and does next; what comes is handed over as it comes. */
export interface ReplyRequest {
  messages: ModelMessage[];
  tools: ToolOffer[];
  toolChoice: "auto" | "none";
  language: string;
  signal: AbortSignal;
  /** The first of an answer has come. */
  onFirstToken?(): void;
  /** A whole sentence, without the space around it. */
  onSentence(text: string): void;
  onToolCall(call: ToolCall): void;
  /** Once per request that an answer began to, cut ones included. */
  onUsage(model: string, usage: ModelUsage): void;
  /** A model failed. Another may have been asked since. */
  onTrouble(model: string, error: unknown): void;
}

/**
 * How sound travels between a visitor and the agent. One segment is played at a time: it begins with
 * its first frame and ends with `finished` or `cleared`.
 */
export interface Media {
  /** Before anything else. Of several listeners the last is told. */
  open(listener: MediaListener): void;
  /** Sound to play: 24 kHz, mono. It may come faster than it is played. */
  frame(pcm: Int16Array): void;
  /** The segment is complete. Answered by `finished`, once all of it was played. */
  flush(): void;
  /** Stops at once and forgets what was not played. Answered by `cleared`, always; a pause is over then. */
  clear(): void;
  /** Answered by `paused`, where something was playing. A second one does nothing. */
  pause(): void;
  resume(): void;
}

/** What the other side of `Media` tells. Positions are in the segment that is being played. */
export interface MediaListener {
  /** The visitor's microphone: 512 samples of 16 kHz mono, in a buffer of their own. */
  microphone(pcm: Int16Array): void;
  /** The visitor hears the first of a segment. */
  started(): void;
  position(ms: number): void;
  paused(ms: number): void;
  finished(ms: number): void;
  cleared(ms: number): void;
}
