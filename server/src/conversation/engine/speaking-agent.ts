import { TransformStream } from "node:stream/web";
import { llm, voice } from "@livekit/agents";
import type { DemoTool } from "../tools/demo-tools.ts";

export interface SpeakingAgentOptions {
  instructions: string;
  tools: DemoTool[];
  runTool: (tool: DemoTool, callId: string, args: unknown) => Promise<string | undefined>;
  /** Called at the first word of a speech; what it answers is handed each piece that leaves for the visitor. */
  beginSpeech: () => (text: string) => void;
}

/** The agent as the library runs it. */
export class SpeakingAgent extends voice.Agent {
  readonly #beginSpeech: () => (text: string) => void;

  constructor({ instructions, tools, runTool, beginSpeech }: SpeakingAgentOptions) {
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
