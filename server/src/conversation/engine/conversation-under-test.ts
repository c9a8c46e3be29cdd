import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { systemClock } from "#platform";
import type { ModelUsage, ModelMessage } from "#models";
import type {
  CommittedTurn,
  ConversationListener,
  ConversationOptions,
  ReplyRequest,
} from "../conversation.ts";
import { SignalReader } from "../signals/signal-reader.ts";
import { agentUnderTest } from "../state/agent-under-test.ts";
import { DemoConversation } from "./demo-conversation.ts";

/** What a model does with one request. */
export type ScriptedReply = (request: ReplyRequest) => void | Promise<void>;

/** Writes this text, directions included. */
export const says =
  (...parts: string[]): ScriptedReply =>
  ({ onSentence, language }) => {
    const reader = new SignalReader(language);
    const written = parts.flatMap((part) => reader.push(`${part} `));
    for (const sentence of [...written, ...reader.end()]) onSentence(sentence);
  };

/** Searches, after these sentences. */
export const searches =
  (query: unknown, ...sentences: string[]): ScriptedReply =>
  async (request) => {
    await says(...sentences)(request);
    const args = JSON.stringify({ query });
    request.onToolCall({ id: "call_search", name: "search_knowledge", args });
  };

/** Says these sentences and then falls silent, until it is cut. */
export const hangsAfter =
  (...sentences: string[]): ScriptedReply =>
  async (request) => {
    await says(...sentences)(request);
    await new Promise((resolve) => request.signal.addEventListener("abort", resolve));
  };

/** Thinks before it does the rest. */
export const thinks =
  (ms: number, reply: ScriptedReply): ScriptedReply =>
  async (request) => {
    await delay(ms, undefined, { signal: request.signal }).catch(() => {});
    await reply(request);
  };

export const fails =
  (error: Error): ScriptedReply =>
  () => {
    throw error;
  };

export interface ConversationUnderTest {
  conversation: DemoConversation;
  log: ConversationLog;
  /** What the models were asked, request by request. */
  requests: { messages: ModelMessage[]; toolChoice: string }[];
}

/** Its models answer by the script, request by request, and with "Yes." when it is over. */
export async function conversationUnderTest(
  script: ScriptedReply[] = [],
  { signOfLifeMs, ...options }: Partial<ConversationOptions> & { signOfLifeMs?: number } = {},
): Promise<ConversationUnderTest> {
  const log = new ConversationLog();
  const requests: ConversationUnderTest["requests"] = [];
  const conversation = await DemoConversation.start({
    agent: agentUnderTest(),
    language: "en",
    metadata: {},
    listener: log,
    models: {
      answers: true,
      signOfLifeMs,
      async reply(request) {
        const { messages, toolChoice } = request;
        requests.push({ messages: structuredClone(messages), toolChoice });
        await (script[requests.length - 1] ?? says("Yes."))(request);
      },
    },
    searchKnowledge: async () => [],
    clock: systemClock,
    ...options,
  });
  // Not waited for: the library takes half a second.
  onTestFinished(() => void conversation.close());
  return { conversation, log, requests };
}

/** All that a conversation told, in its order. */
export class ConversationLog implements ConversationListener {
  readonly told: [kind: string, ...what: unknown[]][] = [];
  readonly turns: CommittedTurn[] = [];

  /** `role: content`, with `…` behind what was cut. */
  get lines(): string[] {
    return this.turns.map(
      ({ role, content, interrupted }) => `${role}: ${content}${interrupted ? "…" : ""}`,
    );
  }

  /** What the agent was shown to do, in its order. */
  get states(): unknown[] {
    return this.of("state").filter((state) => typeof state === "string");
  }

  /** What was told of one kind, in its order. */
  of(kind: string): unknown[] {
    return this.told.filter(([told]) => told === kind).map(([, what]) => what);
  }

  turn(turn: CommittedTurn): void {
    this.turns.push(turn);
    this.told.push(["turn", turn.role]);
  }

  state(state: string): void {
    this.told.push(["state", state]);
  }

  visitorSpeaks(speaking: boolean): void {
    this.told.push(["visitorSpeaks", speaking]);
  }

  voiceLost(): void {
    this.told.push(["voiceLost"]);
  }

  partial(turn: { text: string }): void {
    this.told.push(["partial", turn.text]);
  }

  takenBack(turnId: string): void {
    this.told.push(["takenBack", turnId]);
  }

  content(contentId: string): void {
    this.told.push(["content", contentId]);
  }

  action(action: object): void {
    this.told.push(["do", action]);
  }

  language(code: string): void {
    this.told.push(["language", code]);
  }

  card(card: object | null): void {
    this.told.push(["card", card]);
  }

  event(kind: string, detail: Record<string, unknown>): void {
    this.told.push([kind, detail]);
  }

  charge(model: string): (usage: ModelUsage) => void {
    return (usage) => this.usage(model, usage);
  }

  usage(model: string, usage: ModelUsage): void {
    this.told.push(["usage", model, usage]);
  }

  ended(reason: string): void {
    this.told.push(["ended", reason]);
  }
}
