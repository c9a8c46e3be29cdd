import type { ChatRequest } from "./chat-request.ts";

/** What the model says to a request, before it is written as JSON or as a stream. */
export interface Answer {
  text: string;
  /** The text as it is streamed, where that is not word by word. */
  pieces?: string[];
  toolCalls: ToolCall[];
  /** In place of text. */
  refusal?: string;
  finish: "stop" | "length" | "tool_calls" | "content_filter";
  /** In place of the counted usage. */
  usage?: Usage;
  /** The script it came from, or "rules". */
  by: string;
}

export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/** A token is about this many characters of a European language. */
const CHARACTERS_PER_TOKEN = 4;

export function usageOf(request: ChatRequest, answer: Answer): Usage {
  if (answer.usage !== undefined) return answer.usage;
  const asked = request.messages.reduce((sum, message) => sum + message.text.length, 0);
  const calls = answer.toolCalls.length === 0 ? "" : JSON.stringify(answer.toolCalls);
  const prompt = tokens(asked);
  const completion = tokens(answer.text.length + calls.length + (answer.refusal?.length ?? 0));
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}

/** A text is cut where the request's `max_tokens` ends it. */
export function withinTokens(answer: Answer, maxTokens: number | undefined): Answer {
  const most = (maxTokens ?? Infinity) * CHARACTERS_PER_TOKEN;
  if (answer.text.length <= most) return answer;
  return { ...answer, text: answer.text.slice(0, most), toolCalls: [], finish: "length" };
}

function tokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
