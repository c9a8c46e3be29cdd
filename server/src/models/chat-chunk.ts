import { z } from "zod";

/** A piece of a streamed chat completion, as far as we read it. */
export interface ChatChunk {
  text: string;
  isRefusal: boolean;
  toolCalls: ToolCallPiece[];
  finishReason: string | undefined;
  usage: { prompt_tokens?: number | undefined; completion_tokens?: number | undefined } | undefined;
}

export interface ToolCallPiece {
  /** Which call it belongs to. Some servers send whole calls, one by one, without numbers. */
  index: number | undefined;
  id: string;
  name: string;
  args: string;
}

/** Throws when it is no such thing. What else is in it is passed over. */
export function readChatChunk(chunk: unknown): ChatChunk {
  const { choices, usage } = Chunk.parse(chunk);
  const [choice] = choices;
  return {
    text: choice?.delta?.content ?? "",
    isRefusal: Boolean(choice?.delta?.refusal),
    toolCalls: (choice?.delta?.tool_calls ?? []).map(({ index, id, function: called }) => ({
      index: index ?? undefined,
      id: id ?? "",
      name: called?.name ?? "",
      args: called?.arguments ?? "",
    })),
    finishReason: choice?.finish_reason ?? undefined,
    usage: usage ?? undefined,
  };
}

const ToolCallDelta = z.object({
  index: z.number().int().nonnegative().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});

const Delta = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(ToolCallDelta).nullish(),
});

const Chunk = z.object({
  choices: z.array(z.object({ delta: Delta.nullish(), finish_reason: z.string().nullish() })),
  usage: z
    .object({ prompt_tokens: z.number().optional(), completion_tokens: z.number().optional() })
    .nullish(),
});
