import { newUuid } from "#platform";
import type { Clock } from "#platform";
import { initializeLogger, voice } from "@livekit/agents";
import type { CommittedTurn } from "../conversation.ts";
import type { DemoTool } from "../tools/demo-tools.ts";
import type { StepOrder } from "./composer.ts";
import type { Reply } from "./reply.ts";
import { SpeakingAgent, StepLanguage } from "./speaking-agent.ts";
import type { AgentSound } from "./speaking-agent.ts";
import type { SpokenTurn } from "./spoken-turns.ts";
import { VoiceChannel } from "./voice-channel.ts";
import type { VoiceChannelOptions } from "./voice-channel.ts";

// The library logs what is said.
initializeLogger({ pretty: false, level: "silent" });

export interface SpeakerOptions {
  instructions: string;
  tools: DemoTool[];
  clock: Clock;
  /** Where they talk by voice. */
  voice?:
    | Pick<VoiceChannelOptions, "media" | "hearing" | "voice" | "language" | "prices">
    | undefined;
  compose(reply: Reply, order: StepOrder): Promise<void>;
  /** Its output, when the model must hear of it before the reply is complete. */
  runTool(reply: Reply, tool: DemoTool, callId: string, args: unknown): Promise<string | undefined>;
  /** The visitor has the first of something. */
  onStarted(reply: Reply): void;
  /** What the visitor has of a turn so far. */
  onPartial(turn: { id: string; text: string }): void;
  onSpoken(reply: Reply, turn: CommittedTurn): void;
  onTakenBack(turnId: string): void;
  onVisitorSpeaks(speaking: boolean): void;
  onVisitorPartial(turn: { id: string; text: string }): void;
  onVisitorSaid(turn: SpokenTurn): void;
  /** What hearing and speaking took since it was last told. */
  onCost(costMicros: number): void;
  /** From now on there is only text. */
  onVoiceLost(why: unknown): void;
}

const MOST_TOOL_STEPS = 3;

/**
 * Speaks one reply after another through the library's `AgentSession`, and tells what was heard of
 * it. Without a voice, or when it is lost, what is said is read.
 */
export class Speaker {
  readonly #options: SpeakerOptions;
  readonly #session: voice.AgentSession;
  #channel: VoiceChannel | undefined;
  #reply: Reply | undefined;
  #isFixed = false;
  #isSpeaking = false;
  #step: Promise<void> | undefined;
  #turn: { id: string; text: string; at: Date } | undefined;

  constructor(options: SpeakerOptions) {
    this.#options = options;
    this.#channel = options.voice && new VoiceChannel({ ...options, ...options.voice });
    this.#session = new voice.AgentSession({
      vad: null,
      llm: new StepLanguage(() => this.#beginStep()),
      maxToolSteps: MOST_TOOL_STEPS,
      userAwayTimeout: null,
      ...this.#channel?.sessionOptions,
    });
    this.#channel?.attach(this.#session);
    this.#session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
      if (item.type === "message" && item.role === "assistant") this.#commit(item.interrupted);
    });
    // Unless somebody listens, the library throws it.
    this.#session.on(voice.AgentSessionEventTypes.Error, () => {});
    options.voice?.hearing.on("error", ({ error }) => this.#loseHearing(error));
  }

  async start(): Promise<void> {
    const { instructions, tools, runTool } = this.#options;
    const agent = new SpeakingAgent({
      instructions,
      tools,
      runTool: async (tool, callId, args) =>
        this.#reply && runTool(this.#reply, tool, callId, args),
      beginSpeech: () => this.#beginSpeech(),
      sound: this.#channel && this.#soundOf(this.#channel),
    });
    await this.#session.start({ agent, record: false });
  }

  /** Says a text of ours. Resolves when it was heard, or cut. */
  say(reply: Reply, text: string): Promise<void> {
    return this.#speak(reply, () => this.#session.say(text), true);
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
    this.#channel?.close();
    await this.#options.voice?.hearing.close();
  }

  async #speak(reply: Reply, begin: () => voice.SpeechHandle, isFixed = false): Promise<void> {
    if (reply.isCut) return;
    this.#reply = reply;
    this.#isFixed = isFixed;
    const speech = begin();
    reply.signal.addEventListener("abort", () => speech.interrupt(), { once: true });
    this.#isSpeaking = true;
    await speech.waitForPlayout();
    this.#isSpeaking = false;
    await this.#readUnspoken(reply);
    // The library gives up a speech that does not end in time, and commits nothing of it then.
    this.#commit(true);
    // What a cut request has cost is told a little later.
    await this.#step;
    const error = speech.exception();
    if (error !== undefined) throw error;
  }

  #soundOf(channel: VoiceChannel): AgentSound {
    return {
      speak: (texts) =>
        this.#reply === undefined
          ? null
          : channel.speak(texts, { reply: this.#reply, isFixed: this.#isFixed }),
      passesOver: (transcript, isFinal) => channel.passesOver(transcript, isFinal),
      heard: (text) => this.#options.onVisitorSaid(channel.completeTurn(text)),
    };
  }

  async #readUnspoken(reply: Reply): Promise<void> {
    const unspoken = this.#channel?.takeUnspoken();
    if (unspoken === undefined) return;
    this.#loseVoice(unspoken.why);
    if (unspoken.text !== "") await this.#speak(reply, () => this.#session.say(unspoken.text));
  }

  /** A visitor whom nobody hears could not cut in: what is being said is read from where it was heard. */
  #loseHearing(why: unknown): void {
    if (this.#isSpeaking) this.#channel?.fallSilent(why);
    else this.#loseVoice(why);
  }

  #loseVoice(why: unknown): void {
    if (this.#channel === undefined) return;
    this.#channel.close();
    this.#channel = undefined;
    this.#session.output.setAudioEnabled(false);
    this.#session.input.setAudioEnabled(false);
    this.#options.onVoiceLost(why);
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
      // What is spoken is known once it was heard.
      if (reply === undefined || reply !== this.#reply || this.#channel !== undefined) return;
      if (this.#turn === undefined) this.#options.onStarted(reply);
      this.#turn ??= { id: newUuid(), text: "", at: new Date(this.#options.clock.nowMs()) };
      this.#turn.text += text;
      this.#options.onPartial({ id: this.#turn.id, text: this.#turn.text.trim() });
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
