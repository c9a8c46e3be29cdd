import { newUuid } from "#platform";
import type { Clock } from "#platform";
import { initializeLogger, voice } from "@livekit/agents";
import type { CommittedTurn, UnfinishedTurn } from "../conversation.ts";
import type { StepOrder } from "./attempt.ts";
import type { Reply } from "./reply.ts";
import type { DemoTool } from "./search-tool.ts";
import { SpeakingAgent, StepLanguage } from "./speaking-agent.ts";
import type { AgentSound } from "./speaking-agent.ts";
import type { SpokenTurn } from "./spoken-turns.ts";
import { VoiceChannel } from "./voice-channel.ts";
import type { VoiceChannelOptions } from "./voice-channel.ts";

// At any other level the library logs the visitor's words.
initializeLogger({ pretty: false, level: "silent" });

export interface SpeakerOptions {
  /** The model's name, for traces. */
  model?: string | undefined;
  instructions: string;
  tools: DemoTool[];
  clock: Clock;
  /** Present in a conversation by voice. */
  voice?:
    | Pick<VoiceChannelOptions, "media" | "hearing" | "voice" | "language" | "prices">
    | undefined;
  compose(reply: Reply, order: StepOrder): Promise<void>;
  /** Returns the tool's output if the model needs it to complete the reply. */
  runTool(reply: Reply, tool: DemoTool, callId: string, args: unknown): Promise<string | undefined>;
  /** The visitor sees or hears the first words. */
  onStarted(reply: Reply): void;
  /** The words of a turn that the visitor has so far. */
  onPartial(reply: Reply, turn: { id: string; text: string }): void;
  onSpoken(reply: Reply, turn: CommittedTurn): void;
  onTakenBack(turnId: string): void;
  onVisitorSpeaks(speaking: boolean): void;
  onVisitorPartial(turn: { id: string; text: string }): void;
  onVisitorSaid(turn: SpokenTurn): void;
  /** The cost of speech-to-text and text-to-speech since the last call. */
  onCost(costMicros: number): void;
  /** Called once. Everything after it is text only. */
  onVoiceLost(why: unknown): void;
}

const MAX_TOOL_STEPS = 3;

/**
 * Speaks one reply after another through the library's `AgentSession`, and reports what was heard.
 * Without a voice, or after it is lost, replies are shown as text.
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
      llm: new StepLanguage(options.model ?? "unknown", () => this.#beginStep()),
      maxToolSteps: MAX_TOOL_STEPS,
      userAwayTimeout: null,
      ...this.#channel?.sessionOptions,
    });
    this.#channel?.attach(this.#session);
    this.#session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
      if (item.type === "message" && item.role === "assistant") this.#commit(item.interrupted);
    });
    // Without a listener the library throws the error.
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

  get isVoice(): boolean {
    return this.#channel !== undefined;
  }

  /** What the agent is saying, as a turn. */
  get unfinished(): UnfinishedTurn | undefined {
    if (this.#channel !== undefined) return this.#channel.unfinished;
    if (this.#turn === undefined) return undefined;
    const { id, at } = this.#turn;
    const text = this.#turn.text.trim();
    return { id, at, text, heard: text.length, isWhole: false };
  }

  /** Says a fixed text. Resolves when it was heard or interrupted. */
  say(reply: Reply, text: string): Promise<void> {
    return this.#speak(reply, () => this.#session.say(text), true);
  }

  /** Has the models compose the reply, with tools, and says it. */
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
    const closed = this.#session.close();
    // The library waits half a second for words that are still being recognised. In text there are none.
    if (this.#options.voice === undefined) return void closed.catch(() => {});
    await closed;
    this.#channel?.close();
    await this.#options.voice.hearing.close();
  }

  async #speak(reply: Reply, begin: () => voice.SpeechHandle, isFixed = false): Promise<void> {
    if (reply.isInterrupted) return;
    this.#reply = reply;
    this.#isFixed = isFixed;
    const speech = begin();
    reply.signal.addEventListener("abort", () => speech.interrupt(), { once: true });
    this.#isSpeaking = true;
    await speech.waitForPlayout();
    this.#isSpeaking = false;
    await this.#readUnspoken(reply);
    // The library abandons a speech that does not end in time and commits nothing of it.
    this.#commit(true);
    // The cost of an interrupted request is reported a little later.
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

  /** Without speech-to-text there is no barge-in, so the rest of the current reply is shown as text. */
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
      if (reply === undefined || reply.isInterrupted) return;
      this.#step = this.#options.compose(reply, order);
      await this.#step;
    };
  }

  #beginSpeech(): (text: string) => void {
    const reply = this.#reply;
    return (text) => {
      // With a voice, the turn's words are known only after playback.
      if (reply === undefined || reply !== this.#reply || this.#channel !== undefined) return;
      if (this.#turn === undefined) this.#options.onStarted(reply);
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
