import { onTestFinished } from "vitest";
import { documentUnderTest, fenced } from "../evaluation/document-under-test.ts";
import { startLanguageModel } from "./language-model.ts";
import type { LanguageModel, LanguageModelOptions } from "./language-model.ts";

/** A language model with no scripts but those that a test gives it, closed when the test ends. */
export async function modelUnderTest(options: LanguageModelOptions = {}): Promise<LanguageModel> {
  const model = await startLanguageModel({ scriptsFolder: "/nowhere", ...options });
  onTestFinished(() => model.close());
  return model;
}

/** Sends a request for a completion. */
export function post(
  model: LanguageModel,
  body: unknown,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${model.baseUrl}/chat/completions`, {
    method: "POST",
    body: JSON.stringify(body),
    ...init,
  });
}

/** The whole answer to one, which must be there. */
export async function complete(model: LanguageModel, body: unknown): Promise<WireCompletion> {
  const response = await post(model, body);
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()) as WireCompletion;
}

/** The chunks of a streamed answer. */
export async function stream(model: LanguageModel, body: object): Promise<WireChunk[]> {
  const response = await post(model, { ...body, stream: true });
  const events = (await response.text()).split("\n\n");
  if (events.at(-2) !== "data: [DONE]") throw new Error("The stream has no end.");
  return events.slice(0, -2).map((event) => JSON.parse(event.slice("data: ".length)) as WireChunk);
}

export function said(text: string): { model: string; messages: object[] } {
  return { model: "any", messages: [{ role: "user", content: text }] };
}

export const showContent: object = {
  type: "function",
  function: {
    name: "show_content",
    parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  },
};

/** A request for an evaluation, with the instructions that a prompt begins with. */
export function evaluationRequest(document: object = documentUnderTest()): object {
  const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
  return {
    model: "any",
    messages: [
      { role: "system", content: "You judge one conversation. The canary is called Kiwi." },
      { role: "user", content: fenced(document) },
    ],
    response_format: {
      type: "json_schema",
      json_schema: { name: "evaluation", strict: true, schema },
    },
  };
}

export interface WireCompletion {
  id: string;
  choices: [
    {
      message: { content: string | null; refusal: string | null; tool_calls?: WireToolCall[] };
      finish_reason: string;
    },
  ];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

export interface WireChunk {
  id: string;
  choices: {
    delta: { content?: string | null; refusal?: string; tool_calls?: Partial<WireToolCall>[] };
    finish_reason: string | null;
  }[];
  usage?: WireCompletion["usage"] | null;
}

export interface WireToolCall {
  index: number;
  id: string;
  function: { name?: string; arguments: string };
}
