import { ChatModels, startConversation } from "#conversation";
import type {
  CommittedTurn,
  ConversationListener,
  ConversationModels,
  DemoAgent,
} from "#conversation";
import { systemClock } from "#platform";
import type { LiveOpenCard, Metadata } from "@svc/contract/types";
import type * as Bare from "./bare-agent-session.ts";

/** A whole conversation, as it was heard and as the operator's log tells it. */
export interface PlayedConversation {
  turns: CommittedTurn[];
  events: { kind: string; detail: Record<string, unknown> }[];
  /** Ids of the content, in the order of showing. */
  shown: string[];
  /** Every card that was opened. */
  cards: LiveOpenCard[];
  openCard: LiveOpenCard | undefined;
  ended: "agent_ended" | "server_fault" | undefined;
}

/** What a visitor does next: says something, acts on the open card, or leaves. */
export type VisitorStep = { says: string } | { confirms: string } | "dismisses" | undefined;

export interface PlayOptions {
  agent: DemoAgent;
  language: string;
  metadata?: Metadata;
  models: ConversationModels;
  visitor: (sofar: PlayedConversation) => VisitorStep;
}

/** Holds a conversation in this process, against models over the network. */
export async function playConversation(options: PlayOptions): Promise<PlayedConversation> {
  const { agent, language, metadata = {}, models, visitor } = options;
  const played: PlayedConversation = {
    turns: [],
    events: [],
    shown: [],
    cards: [],
    openCard: undefined,
    ended: undefined,
  };
  const conversation = await startConversation({
    agent,
    language,
    metadata,
    models,
    listener: listenerOf(played),
    searchKnowledge: async () => [],
    clock: systemClock,
    // Nobody objects to a goodbye.
    goodbyeMs: 0,
  });
  await conversation.begin();
  while (played.ended === undefined) {
    const step = visitor(played);
    if (step === undefined) break;
    if (step !== "dismisses" && "says" in step) await conversation.hear(step.says);
    else {
      const cardId = played.openCard?.id ?? "none";
      await conversation.settleCard(
        step === "dismisses"
          ? { cardId, action: "dismissed" }
          : { cardId, action: "confirmed", address: step.confirms },
      );
    }
  }
  await conversation.close();
  return played;
}

function listenerOf(played: PlayedConversation): ConversationListener {
  return {
    turn: (turn) => void played.turns.push(turn),
    event: (kind, detail) => void played.events.push({ kind, detail }),
    content: (id) => void played.shown.push(id),
    card: (card) => {
      if (card !== null) played.cards.push(card);
      played.openCard = card ?? undefined;
    },
    ended: (reason) => (played.ended = reason),
    state() {},
    partial() {},
    takenBack() {},
    action() {},
    language() {},
    visitorSpeaks() {},
    voiceLost() {},
    charge: () => () => {},
    usage() {},
  };
}

/** The stand-in's model as conversations ask it. Faults can be set for it by its name. */
export function rehearsedChatModels(baseUrl: string, name = "first"): ConversationModels {
  const first = {
    url: baseUrl,
    key: undefined,
    name,
    timeoutMs: 60_000,
    price: { input: 0, output: 0 },
  };
  return new ChatModels({ first, verifier: first, clock: systemClock });
}

/** Loads the library's session, which takes a second and 150 MB that most tests have no use for. */
export function loadBareAgentSession(): Promise<typeof Bare> {
  return import("./bare-agent-session.ts");
}
