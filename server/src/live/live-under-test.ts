import type { AgentConfig } from "#agents";
import type { Conversation, ConversationListener, ConversationOptions } from "#conversation";
import { createLog, createMetrics, systemClock } from "#platform";
import type { Db, JobSender } from "#platform";
import { onTestFinished } from "vitest";
import { startLive } from "./live.ts";
import type { Live, LiveOptions } from "./live.ts";
import { startLiveServer } from "./live-server.ts";

/** For tests: the live edge with conversations that do as they are told. */
export interface LiveUnderTest {
  live: Live;
  /** Of the socket. */
  url: string;
  conversations: ScriptedConversation[];
}

export async function startLiveUnderTest(
  { db, jobs, config }: { db: Db; jobs: JobSender; config: AgentConfig },
  options: Partial<LiveOptions> = {},
): Promise<LiveUnderTest> {
  const conversations: ScriptedConversation[] = [];
  const live = await startLive({
    db,
    jobs,
    log: createLog("silent"),
    metrics: createMetrics(),
    clock: systemClock,
    startConversation: async (asked) => {
      const conversation = new ScriptedConversation(asked);
      conversations.push(conversation);
      return conversation;
    },
    models: { answers: true, reply: async () => {} },
    agents: { read: async () => ({ config, knowledge: [] }), search: async () => [] },
    publicUrl: "https://svc.example.com",
    evaluateWithinSecs: 300,
    capacity: 40,
    trustedProxies: [],
    drainMs: 0,
    ...options,
  });
  const server = await startLiveServer(live, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await live.stop();
    await server.close();
  });
  return { live, url: `${server.url.replace("http", "ws")}/sdk/v1/live`, conversations };
}

/** A conversation that says what a test tells it to, and remembers what it was told. */
export class ScriptedConversation implements Conversation {
  readonly asked: ConversationOptions;
  readonly calls: string[] = [];
  /** What it does when it has heard something. */
  onHear: (text: string) => Promise<void> = async () => {};
  #turns = 0;

  constructor(asked: ConversationOptions) {
    this.asked = asked;
  }

  get listener(): ConversationListener {
    return this.asked.listener;
  }

  say(role: "user" | "assistant", content: string, interrupted = false): void {
    const id = `turn-${(this.#turns += 1)}`;
    this.listener.turn({ id, role, content, interrupted, at: new Date() });
  }

  async begin(): Promise<void> {
    this.calls.push("begin");
    this.say("assistant", "Hello, I am an AI guide.");
  }

  async hear(text: string): Promise<void> {
    this.calls.push(`hear ${text}`);
    this.say("user", text);
    await this.onHear(text);
  }

  async settleCard(result: Parameters<Conversation["settleCard"]>[0]): Promise<void> {
    this.calls.push(`settle ${result.action}`);
  }

  async wrapUp(because: "time" | "cost"): Promise<void> {
    this.calls.push(`wrap up ${because}`);
    this.say("assistant", "We have to stop here.");
  }

  async pickUp(): Promise<void> {
    this.calls.push("pick up");
  }

  async interrupt(): Promise<void> {
    this.calls.push("interrupt");
  }

  async close(): Promise<void> {
    this.calls.push("close");
  }
}
