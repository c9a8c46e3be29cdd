import {
  anyObject,
  flag,
  list,
  number,
  object,
  oneOf,
  openObject,
  optional,
  or,
  text,
  wrongValue,
} from "../shape.ts";
import type { Shape } from "../shape.ts";
import { invalidRequest } from "./api-error.ts";
import { checkToolChoice, checkToolMessages } from "./check-tools.ts";
import { checkStrictSchema } from "./strict-schema.ts";

/** What is read of a chat completion's request. */
export interface ChatRequest {
  model: string;
  messages: Message[];
  tools: Tool[];
  toolChoice: "none" | "auto";
  /** The JSON that the answer has to be. */
  format: { name: string; schema: Record<string, unknown> } | undefined;
  stream: boolean;
  includeUsage: boolean;
  maxTokens: number | undefined;
}

export interface Message {
  role: "system" | "developer" | "user" | "assistant" | "tool";
  text: string;
  /** The calls that an assistant made. */
  calls: { id: string; name: string }[];
  /** The call that a tool's message answers. */
  callId: string | undefined;
}

export interface Tool {
  name: string;
  parameters: Record<string, unknown>;
}

/** Throws a `Mistake` or an `ApiError` for what OpenAI refuses too. */
export function readChatRequest(body: unknown): ChatRequest {
  const given = requestShape(body, "");
  const tools = given.tools.map((tool) => tool.function);
  checkToolMessages(given.messages);
  checkToolChoice(given.tool_choice, tools);
  if (given.stream_options !== undefined && !given.stream) {
    throw invalidRequest(
      "'stream_options' goes with 'stream' only.",
      "invalid_value",
      "stream_options",
    );
  }
  const format = given.response_format?.json_schema;
  if (format?.strict === true) checkStrictSchema(format.name, format.schema);
  return {
    model: given.model,
    messages: given.messages,
    tools,
    toolChoice: given.tool_choice ?? (tools.length > 0 ? "auto" : "none"),
    format: format && { name: format.name, schema: format.schema },
    stream: given.stream,
    includeUsage: given.stream_options?.include_usage ?? false,
    maxTokens: given.max_completion_tokens ?? given.max_tokens,
  };
}

function name(value: unknown, at: string): string {
  const given = text(value, at);
  if (/^[\w-]{1,64}$/.test(given)) return given;
  return wrongValue(at, "expected 1 to 64 letters, digits, hyphens and underscores");
}

const wireMessage = openObject({
  role: oneOf("system", "developer", "user", "assistant", "tool"),
  content: or(text, ""),
  tool_calls: or(
    list(openObject({ id: text, function: openObject({ name, arguments: text }) })),
    [],
  ),
  tool_call_id: optional(text),
});

function message(value: unknown, at: string): Message {
  const given = wireMessage(value, at);
  const calls = given.tool_calls.map((call) => ({ id: call.id, name: call.function.name }));
  return { role: given.role, text: given.content, calls, callId: given.tool_call_id };
}

const tool = object({
  type: oneOf("function"),
  function: openObject<Tool>({ name, parameters: or(anyObject, {}) }),
});

const responseFormat = openObject({
  type: oneOf("json_schema"),
  json_schema: openObject({ name, strict: or(flag, false), schema: or(anyObject, {}) }),
});

const anything: Shape<unknown> = (value) => value;
const tokens = number({ from: 1, to: 1_000_000, whole: true });

const ignored =
  `frequency_penalty logit_bias logprobs metadata modalities parallel_tool_calls prediction
  presence_penalty prompt_cache_key reasoning_effort safety_identifier seed service_tier stop store
  top_logprobs user verbosity`.split(/\s+/);

/** The parameters that shape an answer of ours, and those that are taken and change nothing. */
const requestShape = object({
  model: text,
  messages: (value, at) => {
    const messages = list(message)(value, at);
    if (messages.length > 0) return messages;
    throw invalidRequest("'messages' holds no message.", "empty_array", "messages");
  },
  tools: or(list(tool), []),
  tool_choice: optional(oneOf("none", "auto")),
  response_format: or(responseFormat, undefined),
  stream: or(flag, false),
  stream_options: or(openObject({ include_usage: or(flag, false) }), undefined),
  max_tokens: or(tokens, undefined),
  max_completion_tokens: or(tokens, undefined),
  n: or(number({ from: 1, to: 1, whole: true }), 1),
  temperature: or(number({ from: 0, to: 2 }), 1),
  top_p: or(number({ from: 0, to: 1 }), 1),
  ...Object.fromEntries(ignored.map((parameter) => [parameter, anything])),
});
