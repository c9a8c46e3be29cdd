import { ReadableStream, TransformStream } from "node:stream/web";
import { gapBehind } from "#language";
import { DEFAULT_API_CONNECT_OPTIONS, llm, stt, voice } from "@livekit/agents";
import type { AudioFrame } from "@livekit/rtc-node";
import type { DemoTool } from "./search-tool.ts";
import type { StepOrder } from "./attempt.ts";

export interface SpeakingAgentOptions {
  instructions: string;
  tools: DemoTool[];
  runTool: (tool: DemoTool, callId: string, args: unknown) => Promise<string | undefined>;
  /** Called at the first word of a speech. The returned function receives each piece of text that goes to the visitor. */
  beginSpeech: () => (text: string) => void;
  /** Present in a conversation by voice. */
  sound?: AgentSound | undefined;
}

export interface AgentSound {
  speak(texts: ReadableStream<string>): ReadableStream<AudioFrame> | null;
  passesOver(transcript: string, isFinal: boolean): boolean;
  /** Called when the visitor's turn is complete. The library itself does not answer it. */
  heard(text: string): void;
}

/** The agent as the library runs it. */
export class SpeakingAgent extends voice.Agent {
  readonly #beginSpeech: () => (text: string) => void;
  readonly #sound: AgentSound | undefined;

  constructor({ instructions, tools, runTool, beginSpeech, sound }: SpeakingAgentOptions) {
    super({
      instructions,
      tools: tools.map((tool) =>
        llm.tool({
          name: tool.name,
          description: tool.description,
          parameters: tool.parameters,
          execute: (args: unknown, { toolCallId }) => runTool(tool, toolCallId, args),
        }),
      ),
    });
    this.#beginSpeech = beginSpeech;
    this.#sound = sound;
  }

  override async sttNode(
    ...args: Parameters<voice.Agent["sttNode"]>
  ): ReturnType<voice.Agent["sttNode"]> {
    const events = await super.sttNode(...args);
    const passesOver = (event: stt.SpeechEvent): boolean =>
      TRANSCRIPTS.has(event.type) &&
      this.#sound?.passesOver(
        event.alternatives?.[0].text ?? "",
        event.type === stt.SpeechEventType.FINAL_TRANSCRIPT,
      ) === true;
    return (
      events?.pipeThrough(
        new TransformStream({
          transform(event, controller) {
            if (typeof event === "string" || !passesOver(event)) controller.enqueue(event);
          },
        }),
      ) ?? null
    );
  }

  override async ttsNode(
    texts: Parameters<voice.Agent["ttsNode"]>[0],
  ): ReturnType<voice.Agent["ttsNode"]> {
    const stream = texts instanceof ReadableStream ? texts : ReadableStream.from(texts);
    return this.#sound?.speak(stream) ?? null;
  }

  override async onUserTurnCompleted(
    _chatCtx: llm.ChatContext,
    { textContent }: llm.ChatMessage,
  ): Promise<void> {
    if (textContent !== undefined) this.#sound?.heard(textContent);
    throw new voice.StopResponse();
  }

  override async transcriptionNode(
    ...args: Parameters<voice.Agent["transcriptionNode"]>
  ): ReturnType<voice.Agent["transcriptionNode"]> {
    const onText = this.#beginSpeech();
    const texts = await super.transcriptionNode(...args);
    return (
      texts?.pipeThrough(
        new TransformStream({
          transform(text, controller) {
            onText(typeof text === "string" ? text : text.text);
            controller.enqueue(text);
          },
        }),
      ) ?? null
    );
  }
}

const TRANSCRIPTS: ReadonlySet<stt.SpeechEventType> = new Set([
  stt.SpeechEventType.INTERIM_TRANSCRIPT,
  stt.SpeechEventType.PREFLIGHT_TRANSCRIPT,
  stt.SpeechEventType.FINAL_TRANSCRIPT,
]);

type ChatOptions = Parameters<llm.LLM["chat"]>[0];

/** Stands in for a model, so that the library asks us for each step of a reply. */
export class StepLanguage extends llm.LLM {
  readonly #beginStep: () => (order: StepOrder) => Promise<void>;

  readonly #model: string;

  /** @param model named in the library's spans. */
  constructor(model: string, beginStep: () => (order: StepOrder) => Promise<void>) {
    super();
    this.#model = model;
    this.#beginStep = beginStep;
  }

  override get model(): string {
    return this.#model;
  }

  /** Every model is reached by OpenAI's protocol, whoever runs it. */
  override get provider(): string {
    return "openai_compatible";
  }

  override label(): string {
    return "svc";
  }

  override chat({ chatCtx, toolCtx, toolChoice, connOptions }: ChatOptions): llm.LLMStream {
    // Taken now: the stream asks for its text a little later, when another reply may be current.
    const compose = this.#beginStep();
    const options = { chatCtx, connOptions: connOptions ?? DEFAULT_API_CONNECT_OPTIONS };
    return new StepStream(this, { ...options, ...(toolCtx && { toolCtx }) }, (order) =>
      compose({ ...order, mayCallTools: toolChoice !== "none" }),
    );
  }
}

class StepStream extends llm.LLMStream {
  readonly #compose: (order: Omit<StepOrder, "mayCallTools">) => Promise<void>;

  constructor(
    language: StepLanguage,
    options: ConstructorParameters<typeof llm.LLMStream>[1],
    compose: (order: Omit<StepOrder, "mayCallTools">) => Promise<void>,
  ) {
    super(language, options);
    this.#compose = compose;
  }

  protected override async run(): Promise<void> {
    await this.#compose({
      signal: this.abortController.signal,
      say: (sentence) => this.#put({ content: `${sentence}${gapBehind(sentence)}` }),
      call: ({ id, name, args }) =>
        this.#put({ toolCalls: [llm.FunctionCall.create({ callId: id, name, args })] }),
    });
  }

  #put(delta: Omit<llm.ChoiceDelta, "role">): void {
    // Closed after an interruption. Text that a model still sends is dropped.
    if (!this.closed) this.queue.put({ id: "step", delta: { role: "assistant", ...delta } });
  }
}
