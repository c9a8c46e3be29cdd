import { setTimeout as delay } from "node:timers/promises";
import type { AgentConfig } from "#agents";
import type { Conversation, ConversationListener, ConversationOptions } from "#conversation";
import { createLog, createMetrics, systemClock } from "#platform";
import type { Db, JobSender } from "#platform";
import type { LiveAddressDoubt } from "@svc/contract/types";
import { onTestFinished } from "vitest";
import { startLive, startLiveServer } from "./live.ts";
import type { Live, LiveOptions } from "./live.ts";

/** For tests: the live adapter with conversations that do as they are told. */
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
    mail: {
      expect: async () => ({ isOn: false, address: undefined, verified: null }),
      accepts: async () => undefined,
    },
    agents: { read: async () => ({ config, knowledge: [] }), searchIn: () => async () => [] },
    publicUrl: "https://svc.example.com",
    evaluateWithinSecs: 300,
    prices: { talk: { input: 0, output: 0 }, evaluation: { input: 0, output: 0 } },
    capacity: 40,
    accountShare: 0.75,
    trustedProxies: [],
    connectionsPerAddress: 0,
    drainMs: 0,
    ...options,
  });
  const server = await startLiveServer(live, {
    host: "127.0.0.1",
    port: 0,
    connections: { perAddress: 0, trustedProxies: [], addressOf: (ip) => ip },
  });
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
  /** What its media told it, without positions on the way. */
  readonly sounds: string[] = [];
  /** Samples of the visitor's microphone that are more than hiss. */
  voicedSamples = 0;
  /** What it does when it has heard something. */
  onHear: (text: string) => Promise<void> = async () => {};
  recapLines: string[] = [];
  unfinished: Conversation["unfinished"];
  #voice: ConversationOptions["voice"];
  #turns = 0;
  #speaking: PromiseWithResolvers<void> | undefined;

  constructor(asked: ConversationOptions) {
    this.asked = asked;
    this.#voice = asked.voice;
    this.#open();
  }

  get listener(): ConversationListener {
    return this.asked.listener;
  }

  say(
    role: "user" | "assistant",
    content: string,
    interrupted = false,
    id = `turn-${(this.#turns += 1)}`,
  ): void {
    this.listener.turn({ id, role, content, interrupted, at: new Date() });
  }

  /** Sound from the agent. Resolves when it is over. */
  speak(pcm: Int16Array): Promise<void> {
    const { media } = this.#voice!;
    this.#speaking = Promise.withResolvers();
    media.frame(pcm);
    media.flush();
    return this.#speaking.promise;
  }

  #open(): void {
    this.#voice?.media.open({
      microphone: (pcm) =>
        void (this.voicedSamples += pcm.filter((sample) => Math.abs(sample) > 100).length),
      started: () => this.sounds.push("started"),
      position: () => {},
      paused: (ms) => this.sounds.push(`paused ${ms}`),
      finished: (ms) => this.#silent(`finished ${ms}`),
      cleared: (ms) => this.#silent(`cleared ${ms}`),
    });
  }

  #silent(how: string): void {
    this.sounds.push(how);
    this.#speaking?.resolve();
    this.#speaking = undefined;
  }

  async recap(): Promise<string[]> {
    this.calls.push("recap");
    return this.recapLines;
  }

  async begin(): Promise<void> {
    this.calls.push("begin");
    this.say("assistant", "Hello, I am an AI guide.");
  }

  async hear(text: string, id?: string): Promise<void> {
    this.calls.push(`hear ${text}`);
    this.say("user", text, false, id);
    await this.onHear(text);
  }

  async settleCard(result: Parameters<Conversation["settleCard"]>[0]): Promise<void> {
    const follows = "mailFollows" in result && result.mailFollows ? ", mail follows" : "";
    this.calls.push(`settle ${result.action}${follows}`);
  }

  settlePlace(id: string, state: string): void {
    this.calls.push(`place ${id}: ${state}`);
  }

  visitorShowed(name: string): void {
    this.calls.push(`step ${name}`);
  }

  pageChanged(): void {}

  offerActions(names: readonly string[]): void {
    this.calls.push(`offer ${names.join(" ")}`);
  }

  settleAction({ cue, state }: { cue: string; state: string }): void {
    this.calls.push(`action ${cue}: ${state}`);
  }

  doubtEmail(address: string, doubt: LiveAddressDoubt): void {
    this.listener.card({ kind: "email", id: "card-again", prefill: address, doubt });
  }

  async wrapUp(because: "time" | "cost"): Promise<void> {
    this.calls.push(`wrap up ${because}`);
    this.say("assistant", "We have to stop here.");
  }

  async pickUp(): Promise<void> {
    this.calls.push("pick up");
  }

  async setVoice(voice: ConversationOptions["voice"]): Promise<void> {
    this.calls.push(voice === undefined ? "text" : "voice");
    this.#voice = voice;
    this.#open();
  }

  stirred(): void {
    this.calls.push("stirred");
  }

  async nudge(): Promise<void> {
    this.calls.push("nudge");
  }

  async interrupt(): Promise<void> {
    this.calls.push("interrupt");
    const speaking = this.#speaking;
    if (speaking === undefined) return;
    // Not at once: a reply that is being made must be stopped first.
    await delay(150);
    this.#voice?.media.clear();
    await speaking.promise;
  }

  async close(): Promise<void> {
    this.calls.push("close");
  }
}
