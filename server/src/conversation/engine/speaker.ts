import { initializeLogger, voice } from "@livekit/agents";
import { newUuid } from "#platform";
import type { Clock } from "#platform";
import type { CommittedTurn } from "../conversation.ts";
import type { DemoTool } from "../tools/demo-tools.ts";
import type { StepOrder } from "./composer.ts";
import type { Reply } from "./reply.ts";
import { SpeakingAgent } from "./speaking-agent.ts";
import { StepLanguage } from "./step-language.ts";

// The library logs what is said.
initializeLogger({ pretty: false, level: "silent" });

export interface SpeakerOptions {
  instructions: string;
  tools: DemoTool[];
  clock: Clock;
  compose(reply: Reply, order: StepOrder): Promise<void>;
  /** Its output, when the model must hear of it before the reply is complete. */
  runTool(reply: Reply, tool: DemoTool, callId: string, args: unknown): Promise<string | undefined>;
  /** What the visitor has of a turn so far. */
  onPartial(reply: Reply, turn: { id: string; text: string }): void;
  onSpoken(reply: Reply, turn: CommittedTurn): void;
}

const MOST_TOOL_STEPS = 3;

/** Speaks one reply after another through the library's `AgentSession`, and tells what was heard of it. */
export class Speaker {
  readonly #options: SpeakerOptions;
  readonly #session: voice.AgentSession;
  #reply: Reply | undefined;
  #step: Promise<void> | undefined;
  #turn: { id: string; text: string; at: Date } | undefined;

  constructor(options: SpeakerOptions) {
    this.#options = options;
    this.#session = new voice.AgentSession({
      vad: null,
      llm: new StepLanguage(() => this.#beginStep()),
      maxToolSteps: MOST_TOOL_STEPS,
      userAwayTimeout: null,
    });
    this.#session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
      if (item.type === "message" && item.role === "assistant") this.#commit(item.interrupted);
    });
  }

  async start(): Promise<void> {
    const { instructions, tools, runTool } = this.#options;
    const agent = new SpeakingAgent({
      instructions,
      tools,
      runTool: async (tool, callId, args) =>
        this.#reply && runTool(this.#reply, tool, callId, args),
      beginSpeech: () => this.#beginSpeech(),
    });
    await this.#session.start({ agent, record: false });
  }

  /** Says a text of ours. Resolves when it was heard, or cut. */
  say(reply: Reply, text: string): Promise<void> {
    return this.#speak(reply, () => this.#session.say(text));
  }

  /** Says what the models make of it, tools included. */
  generate(
    reply: Reply,
    { visitorSaid, mayCallTools }: { visitorSaid?: string | undefined; mayCallTools: boolean },
  ): Promise<void> {
    return this.#speak(reply, () =>
      this.#session.generateReply({
        ...(visitorSaid !== undefined && { userInput: visitorSaid }),
        toolChoice: mayCallTools ? "auto" : "none",
      }),
    );
  }

  async close(): Promise<void> {
    await this.#session.close();
  }

  async #speak(reply: Reply, begin: () => voice.SpeechHandle): Promise<void> {
    if (reply.isCut) return;
    this.#reply = reply;
    const speech = begin();
    reply.signal.addEventListener("abort", () => speech.interrupt(), { once: true });
    await speech.waitForPlayout();
    // The library gives up a speech that does not end in time, and commits nothing of it then.
    this.#commit(true);
    // What a cut request has cost is told a little later.
    await this.#step;
    const error = speech.exception();
    if (error !== undefined) throw error;
  }

  #beginStep(): (order: StepOrder) => Promise<void> {
    const reply = this.#reply;
    return async (order) => {
      if (reply === undefined || reply.isCut) return;
      this.#step = this.#options.compose(reply, order);
      await this.#step;
    };
  }

  #beginSpeech(): (text: string) => void {
    const reply = this.#reply;
    return (text) => {
      if (reply === undefined || reply !== this.#reply) return;
      this.#turn ??= { id: newUuid(), text: "", at: new Date(this.#options.clock.nowMs()) };
      this.#turn.text += text;
      this.#options.onPartial(reply, { id: this.#turn.id, text: this.#turn.text.trim() });
    };
  }

  #commit(interrupted: boolean): void {
    const turn = this.#turn;
    this.#turn = undefined;
    if (this.#reply === undefined || turn === undefined || turn.text.trim() === "") return;
    const { id, text, at } = turn;
    const content = text.trim();
    this.#options.onSpoken(this.#reply, { id, role: "assistant", content, interrupted, at });
  }
}
