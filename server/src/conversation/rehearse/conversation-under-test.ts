import { plainConfig } from "#agents";
import type { AgentConfig, Scenario } from "#agents";
import { systemClock } from "#platform";
import type { Conversation, ConversationListener, ConversationOptions } from "../conversation.ts";
import type { RehearsalStage } from "./play-scenario.ts";

/** What an agent does after a turn of the visitor's, told to its listener. */
export type Reply = (listener: ConversationListener, heard: string) => void;

/** A stage whose agent greets and then gives the scripted replies in order, repeating the last one. */
export function stageUnderTest(
  replies: Reply[],
  change: Partial<AgentConfig> = {},
): RehearsalStage & { started: ConversationOptions[]; closed: number } {
  const stage = {
    agent: { config: { ...plainConfig("Linden"), ...change }, knowledge: [] },
    models: { answers: true } as RehearsalStage["models"],
    visitorModel: {
      name: "nobody",
      ask: () => Promise.reject(new Error("asked")),
      isThere: async () => true,
    },
    searchKnowledge: async () => [],
    clock: systemClock,
    started: [] as ConversationOptions[],
    closed: 0,
    startConversation: async (options: ConversationOptions) => {
      stage.started.push(options);
      return scripted(options.listener, [...replies], () => void (stage.closed += 1));
    },
  };
  return stage;
}

/** An agent that says this. */
export function says(content: string): Reply {
  return (listener) => turn(listener, "assistant", content);
}

export function scenarioOf(
  says_: NonNullable<Scenario["visitor"]["says"]>,
  rest: Partial<Scenario> = {},
): Scenario {
  return { file: "scenarios/a.yaml", name: "A", visitor: { says: says_ }, ...rest };
}

function scripted(
  listener: ConversationListener,
  replies: Reply[],
  onClose: () => void,
): Conversation {
  const reply = (heard: string): void =>
    (replies.length > 1 ? replies.shift()! : replies[0]!)(listener, heard);
  return {
    unfinished: undefined,
    begin: async () => turn(listener, "assistant", "Hello, an AI speaks."),
    hear: async (text) => {
      turn(listener, "user", text);
      reply(text);
    },
    settleCard: async ({ action }) => {
      listener.card(null);
      reply(action);
    },
    settlePlace: () => {},
    visitorShowed: () => {},
    pageChanged: () => {},
    offerActions: () => {},
    settleAction: () => {},
    doubtEmail: () => {},
    stirred: () => {},
    pickUp: async () => {},
    nudge: async () => {},
    setVoice: async () => {},
    wrapUp: async () => {},
    interrupt: async () => {},
    close: async () => onClose(),
    recap: async () => [],
  };
}

function turn(listener: ConversationListener, role: "user" | "assistant", content: string): void {
  listener.turn({ id: "turn", role, content, interrupted: false, at: new Date(0) });
}
