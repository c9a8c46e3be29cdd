import { ReadableStream, TransformStream } from "node:stream/web";
import { llm, stt, voice } from "@livekit/agents";
import type { AudioFrame } from "@livekit/rtc-node";
import type { DemoTool } from "../tools/demo-tools.ts";

export interface SpeakingAgentOptions {
  instructions: string;
  tools: DemoTool[];
  runTool: (tool: DemoTool, callId: string, args: unknown) => Promise<string | undefined>;
  /** Called at the first word of a speech; what it answers is handed each piece that leaves for the visitor. */
  beginSpeech: () => (text: string) => void;
  /** How it speaks and listens, where it does. */
  sound?: AgentSound | undefined;
}

export interface AgentSound {
  speak(texts: ReadableStream<string>): ReadableStream<AudioFrame> | null;
  passesOver(transcript: string, isFinal: boolean): boolean;
  /** The visitor's turn is complete. Whoever is told answers it; the library does not. */
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
