import { createHash } from "node:crypto";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";

export type ModelMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content?: string; toolCalls?: ToolCall[] }
  | { role: "tool"; callId: string; content: string };

/** A message of a request for JSON: words alone. */
export interface PlainMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface ToolCall {
  id: string;
  name: string;
  /** As the model wrote it: not necessarily valid JSON. */
  args: string;
  /** What its server wants back with the call: Gemini signs its thoughts. */
  extra?: Record<string, unknown>;
}

export interface ToolOffer {
  name: string;
  description: string;
  /** A JSON schema. */
  parameters: Record<string, unknown>;
}

/**
 * The message in the protocol's own form.
 *
 * @param withExtra where the server knows such fields; others refuse a call that has them.
 */
export function toWire(message: ModelMessage, withExtra: boolean): ChatCompletionMessageParam {
  if (message.role === "tool")
    return { role: "tool", tool_call_id: wireId(message.callId), content: message.content };
  if (message.role !== "assistant") return message;
  const { content, toolCalls } = message;
  return {
    role: "assistant",
    // Templates tell null from words, and some trip over a field that is missing.
    content: content ?? null,
    ...(toolCalls !== undefined && {
      tool_calls: toolCalls.map(({ id, name, args, extra }) => ({
        id: wireId(id),
        type: "function" as const,
        function: { name, arguments: args },
        ...(withExtra && extra !== undefined && { extra_content: extra }),
      })),
    }),
  };
}

/** Mistral takes nine letters and digits only, and the call may be one of another model's. No other server minds. */
function wireId(id: string): string {
  if (/^[a-zA-Z\d]{9}$/.test(id)) return id;
  return createHash("sha256").update(id).digest("hex").slice(0, 9);
}

/** Asks for JSON in words, where a server ignores `response_format`. */
export function withSchema(
  messages: PlainMessage[],
  schema: Record<string, unknown>,
): PlainMessage[] {
  const order = `Answer with one JSON object by this JSON schema, and with nothing else:\n${JSON.stringify(schema)}`;
  const [first, ...rest] = messages;
  if (first?.role !== "system") return [{ role: "system", content: order }, ...messages];
  return [{ ...first, content: `${first.content}\n\n${order}` }, ...rest];
}

/** The JSON object in an answer, without thoughts, a Markdown fence or courtesies around it; the answer itself where there is none. */
export function jsonIn(text: string): string {
  // What is JSON as it stands may well quote a mark of thoughts.
  if (text.trimStart().startsWith("{")) return text;
  const said = text.replace(THOUGHTS, "");
  const begin = said.indexOf("{");
  const end = said.lastIndexOf("}");
  return begin === -1 || end < begin ? text : said.slice(begin, end + 1);
}

/** Where the chat template opens the thoughts, the answer holds only their end. */
const THOUGHTS = /^[^]*?<\/think>/;
