import * as z from "zod";
import { orElse, readJson } from "../read-value.ts";
import { invalidRequest } from "./api-error.ts";
import { checkStrictSchema } from "./json-schema.ts";

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

/** Throws for what OpenAI refuses too. */
export function readChatRequest(body: string | Buffer): ChatRequest {
  const given = readJson(request, body);
  const messages = given.messages.map(({ role, content, tool_calls, tool_call_id }) => ({
    role,
    text: content,
    calls: tool_calls.map((call) => ({ id: call.id, name: call.function.name })),
    callId: tool_call_id,
  }));
  const tools = given.tools.map((tool) => tool.function);
  const format = given.response_format?.json_schema;
  checkToolMessages(messages);
  if (given.tool_choice === "auto" && tools.length === 0) {
    throw invalidRequest("'tool_choice' goes with 'tools' only.", undefined, "tool_choice");
  }
  if (given.stream_options !== undefined && !given.stream) {
    const why = "'stream_options' goes with 'stream' only.";
    throw invalidRequest(why, "invalid_value", "stream_options");
  }
  if (format?.strict === true) checkStrictSchema(format.name, format.schema);
  return {
    model: given.model,
    messages,
    tools,
    toolChoice: given.tool_choice ?? (tools.length > 0 ? "auto" : "none"),
    format: format && { name: format.name, schema: format.schema },
    stream: given.stream,
    includeUsage: given.stream_options?.include_usage ?? false,
    maxTokens: given.max_completion_tokens ?? given.max_tokens,
  };
}

/** Every tool's message answers a call of the assistant's message before, and every call is answered. */
function checkToolMessages(messages: Message[]): void {
  if (messages.length === 0) {
    throw invalidRequest("'messages' holds no message.", "empty_array", "messages");
  }
  let open = new Set<string>();
  for (const [index, { role, calls, callId }] of messages.entries()) {
    const at = `messages[${index}]`;
    if (role === "tool") {
      if (callId !== undefined && open.delete(callId)) continue;
      throw invalidRequest(`'${at}' answers no call before it.`, undefined, `${at}.role`);
    }
    if (open.size > 0) throw unanswered(open, at);
    open = new Set(calls.map((call) => call.id));
  }
  if (open.size > 0) throw unanswered(open, "messages");
}

function unanswered(calls: Set<string>, at: string): Error {
  return invalidRequest(`No message answers the calls ${[...calls].join(", ")}.`, undefined, at);
}

const name = z
  .string()
  .regex(/^[\w-]{1,64}$/, "expected 1 to 64 letters, digits, hyphens and underscores");
const anyObject = z.record(z.string(), z.unknown());
const flag = orElse(z.boolean(), false);
const tokens = orElse(z.int().min(1).max(1_000_000), undefined);

const message = z.object({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: orElse(z.string(), ""),
  tool_calls: orElse(
    z.array(z.object({ id: z.string(), function: z.object({ name, arguments: z.string() }) })),
    [],
  ),
  tool_call_id: z.string().optional(),
});

const tool = z.strictObject({
  type: z.literal("function"),
  function: z.object({ name, parameters: orElse(anyObject, {}) }),
});

const responseFormat = z.object({
  type: z.literal("json_schema"),
  json_schema: z.object({ name, strict: flag, schema: orElse(anyObject, {}) }),
});

const ignored =
  `frequency_penalty logit_bias logprobs metadata modalities parallel_tool_calls prediction
  presence_penalty prompt_cache_key reasoning_effort safety_identifier seed service_tier stop store
  top_logprobs user verbosity`.split(/\s+/);

/** The parameters that shape an answer of ours, and those that are taken and change nothing. */
const request = z.strictObject({
  model: z.string(),
  messages: z.array(message),
  tools: orElse(z.array(tool), []),
  tool_choice: z.enum(["none", "auto"]).optional(),
  response_format: orElse(responseFormat, undefined),
  stream: flag,
  stream_options: orElse(z.object({ include_usage: flag }), undefined),
  max_tokens: tokens,
  max_completion_tokens: tokens,
  n: orElse(z.literal(1), 1),
  temperature: orElse(z.number().min(0).max(2), 1),
  top_p: orElse(z.number().min(0).max(1), 1),
  ...(Object.fromEntries(
    ignored.map((parameter) => [parameter, z.unknown().optional()]),
  ) as object),
});
