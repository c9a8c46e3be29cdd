import { systemClock } from "#platform";
import { describe, expect, it } from "vitest";
import { ChatModel } from "./chat-model.ts";
import { modelUnderTest, receiver } from "./model-under-test.ts";
import type { Received, Scripted } from "./model-under-test.ts";

/**
 * Answers as the servers of each family stream them, written from their documentation: the same two sentences,
 * and the same search where the family has an own way of sending it.
 */
interface Family {
  answer: Scripted[];
  /** Of 1,000 tokens of input, those from the cache. */
  cached: number;
  search?: Scripted[];
  calls?: number;
}

const delta = (fields: object, finish_reason: string | null = null): object => ({
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta: fields, finish_reason }],
});
const usage = (more: object = {}): object => ({
  usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100, ...more },
});
const cached = (cached_tokens: number): object =>
  usage({ prompt_tokens_details: { cached_tokens, audio_tokens: 0 } });
const called = (index: number, fields: object): object =>
  delta({ tool_calls: [{ index, ...fields }] });

const ARGS = '{"query":"price"}';
const search = { name: "search_knowledge" };

const FAMILIES: Record<string, Family> = {
  OpenAI: {
    answer: [
      delta({ role: "assistant", content: "", refusal: null }),
      delta({ content: "It is a" }),
      delta({ content: " service. It runs" }),
      delta({ content: " on your site." }),
      delta({}, "stop"),
      { choices: [], ...cached(800) },
    ],
    cached: 800,
    search: [
      delta({
        role: "assistant",
        content: null,
        tool_calls: [
          {
            index: 0,
            id: "call_AbCdEf0123456789",
            type: "function",
            function: { ...search, arguments: "" },
          },
        ],
      }),
      called(0, { function: { arguments: '{"que' } }),
      called(0, { function: { arguments: 'ry":"price"}' } }),
      delta({}, "tool_calls"),
      { choices: [], ...usage() },
    ],
  },
  "OpenAI, thinking in silence": {
    answer: [
      400,
      delta({ role: "assistant", content: "It is a service. It runs on your site." }),
      delta({}, "stop"),
      { choices: [], ...usage({ completion_tokens_details: { reasoning_tokens: 60 } }) },
    ],
    cached: 0,
  },
  "Claude's compatible layer": {
    answer: [
      delta({ role: "assistant", content: "It is a service." }),
      ": ping\n\n",
      delta({ content: " It runs on your site." }),
      delta({}, "stop"),
      { choices: [], ...usage({ prompt_tokens_details: null }) },
    ],
    cached: 0,
  },
  "Gemini's compatible layer": {
    answer: [
      delta({ role: "assistant", content: "It is a service. It" }),
      delta({ role: "assistant", content: " runs on your site." }, "stop"),
      { ...delta({ role: "assistant" }, "stop"), ...cached(500) },
    ],
    cached: 500,
    // Whole calls, each with the number 0.
    search: [
      delta({
        role: "assistant",
        tool_calls: [
          {
            index: 0,
            id: "function-call-1",
            type: "function",
            function: { ...search, arguments: ARGS },
            extra_content: { google: { thought_signature: "c2ln" } },
          },
        ],
      }),
      delta(
        {
          role: "assistant",
          tool_calls: [
            {
              index: 0,
              id: "function-call-2",
              type: "function",
              function: { ...search, arguments: ARGS },
            },
          ],
        },
        "stop",
      ),
    ],
    calls: 2,
  },
  Mistral: {
    answer: [
      delta({ role: "assistant", content: "" }),
      delta({ content: "It is a service. It runs" }),
      { ...delta({ content: " on your site." }, "stop"), ...usage() },
    ],
    cached: 0,
    search: [
      {
        ...delta(
          {
            content: "",
            tool_calls: [{ id: "D681PevKs", index: 0, function: { ...search, arguments: ARGS } }],
          },
          "tool_calls",
        ),
        ...usage(),
      },
    ],
  },
  "Mistral, thinking in parts": {
    answer: [
      delta({ role: "assistant", content: "" }),
      delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] }),
      delta({ content: [{ type: "text", text: "It is a service. " }] }),
      { ...delta({ content: "It runs on your site." }, "stop"), ...usage() },
    ],
    cached: 0,
  },
  "vLLM with Qwen, thinking": {
    answer: [
      delta({ role: "assistant", content: "", reasoning_content: null }),
      delta({ reasoning_content: "The visitor wants " }),
      delta({ reasoning: "a summary." }),
      delta({ content: "\n\nIt is a service. It runs on your site." }),
      { choices: [{ index: 0, delta: { content: "" }, finish_reason: "stop", stop_reason: null }] },
      { choices: [], ...cached(900) },
    ],
    cached: 900,
    search: [
      delta({ role: "assistant" }),
      called(0, { id: "chatcmpl-tool-0f6c", type: "function", function: { ...search } }),
      called(0, { function: { arguments: ARGS } }),
      delta({}, "tool_calls"),
    ],
  },
  "llama.cpp": {
    answer: [
      delta({ role: "assistant", content: null }),
      delta({ reasoning_content: "Hm." }),
      delta({ content: "It is a service. It runs on your site." }),
      delta({}, "stop"),
      { choices: [], ...cached(700), timings: { cache_n: 700, prompt_n: 300 } },
    ],
    cached: 700,
    // Without an id.
    search: [called(0, { function: { ...search, arguments: ARGS } }), delta({}, "tool_calls")],
  },
  "servers with an empty finish reason": {
    answer: [
      { choices: [{ delta: { content: "It is a service. It runs on" }, finish_reason: "" }] },
      { choices: [{ delta: { content: " your site." }, finish_reason: "stop" }], ...usage() },
    ],
    cached: 0,
  },
};

async function ask(script: Scripted[]): Promise<Received> {
  const { url } = await modelUnderTest(script);
  const model = new ChatModel({
    url,
    key: undefined,
    name: "m",
    timeoutMs: 5_000,
    price: { input: 1_000_000, output: 2_000_000, cached: 100_000 },
    clock: systemClock,
    limits: { firstTokenMs: 5_000, idleMs: 5_000, wholeMs: 8_000 },
  });
  const received = receiver();
  await model.reply(received.request);
  return received;
}

describe("an answer", () => {
  it.each(Object.entries(FAMILIES))(
    "of %s is read whole, without thoughts, and priced",
    async (_, family) => {
      const { sentences, usage: spent } = await ask(family.answer);
      expect(sentences).toEqual(["It is a service.", "It runs on your site."]);
      const costMicros = 1_000 - family.cached + family.cached / 10 + 200;
      expect(spent).toEqual([
        { model: "m", usage: { inputTokens: 1_000, outputTokens: 100, costMicros } },
      ]);
    },
  );

  const searching = Object.entries(FAMILIES).flatMap(([name, family]) =>
    family.search === undefined ? [] : [[name, family.search, family.calls ?? 1] as const],
  );
  it.each(searching)("of %s may be a search", async (_, script, calls) => {
    const { calls: made } = await ask(script);
    expect(made.map(({ name, args }) => `${name} ${args}`)).toEqual(
      Array.from({ length: calls }, () => `search_knowledge ${ARGS}`),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(calls);
  });
});
