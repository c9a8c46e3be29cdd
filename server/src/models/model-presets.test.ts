import { parseJson, systemClock } from "#platform";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ModelClient } from "./model-client.ts";
import type { LanguageModelOptions } from "./model-client.ts";
import { PRESET_NAMES } from "./model-presets.ts";
import type { PresetName } from "./model-presets.ts";

const SCHEMA = { type: "object", properties: { a: { type: "string" } } };
const messages = [
  { role: "system" as const, content: "Judge." },
  { role: "user" as const, content: "Hello" },
];
const { signal } = new AbortController();

type Body = Record<string, unknown> & { messages: { role: string; content: string }[] };

/** What the model is sent for an evaluation, a verifier's word and a turn, when it answers like this. */
async function asked(
  options: Partial<LanguageModelOptions>,
  content = '{"a":"b"}',
): Promise<{ ask: Body; complete: Body; stream: Body; answer: string }> {
  const bodies: Body[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    const sent = parseJson(body) as Body;
    bodies.push(sent);
    if (sent["stream"] !== true) return Response.json({ choices: [{ message: { content } }] });
    const chunk = { choices: [{ delta: { content }, finish_reason: "stop" }] };
    return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const model = new ModelClient({
    url: "http://models.test/v1",
    key: undefined,
    name: "m",
    timeoutMs: 1_000,
    price: { input: 0, output: 0 },
    clock: systemClock,
    ...options,
  });
  const { text: answer } = await model.ask({ messages, schema: SCHEMA, signal });
  await model.complete({ messages, maxTokens: 16, signal });
  await model.stream({
    messages,
    maxTokens: 1_500,
    tools: [],
    toolChoice: "none",
    signal,
    limits: { firstTokenMs: 1_000, idleMs: 1_000, wholeMs: 1_000 },
    onText: () => {},
  });
  const [ask, complete, stream] = bodies;
  return { ask: ask!, complete: complete!, stream: stream!, answer };
}

/** All but what every request has. */
function special({ model: _m, messages: _g, stream: _s, response_format: _r, ...rest }: Body) {
  return rest;
}

const usage = { stream_options: { include_usage: true } };
const kwargs = (enable_thinking: boolean) => ({ chat_template_kwargs: { enable_thinking } });

describe("a preset", () => {
  const told: Record<PresetName, object> = {
    openai: { ...usage, max_completion_tokens: 1_500 },
    "openai-reasoning": { ...usage, reasoning_effort: "low" },
    claude: { ...usage, max_tokens: 1_500 },
    "claude-reasoning": usage,
    gemini: { ...usage, max_tokens: 1_500, reasoning_effort: "minimal" },
    "gemini-reasoning": { ...usage, reasoning_effort: "low" },
    mistral: { max_tokens: 1_500 },
    "mistral-reasoning": {},
    vllm: { ...usage, max_tokens: 1_500, ...kwargs(false) },
    "vllm-reasoning": { ...usage, ...kwargs(true) },
    "llama.cpp": { ...usage, max_tokens: 1_500, ...kwargs(false) },
    "llama.cpp-reasoning": { ...usage, ...kwargs(true) },
  };

  it.each(Object.entries(told))("of %s sends what its servers take", async (preset, fields) => {
    expect(PRESET_NAMES).toContain(preset);
    const { stream, complete } = await asked({ preset: preset as PresetName });
    expect(special(stream)).toEqual(fields);
    const { stream_options: _, ...same } = special(stream);
    const limits = Object.keys(same).filter((name) => name.startsWith("max_"));
    expect(special(complete)).toEqual({
      ...same,
      ...Object.fromEntries(limits.map((name) => [name, 16])),
    });
  });

  it("is not needed: without one, requests have what every server takes", async () => {
    const { stream, complete, ask } = await asked({});
    expect([special(stream), special(complete), special(ask)]).toEqual([usage, {}, {}]);
    expect(ask["response_format"]).toMatchObject({ json_schema: { strict: true, schema: SCHEMA } });
  });

  it("puts the schema into the prompt where servers ignore it, and finds the JSON in the words", async () => {
    const { ask, answer } = await asked(
      { preset: "claude" },
      'Here it is:\n```json\n{"a":"b"}\n```',
    );
    expect(ask["response_format"]).toBeUndefined();
    expect(ask.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(ask.messages[0]?.content).toContain(JSON.stringify(SCHEMA));
    expect(answer).toBe('{"a":"b"}');
  });

  it.each([
    ['<think>{not this}</think>\n\n{"a":1}', '{"a":1}'],
    ['not this {either}</think>{"a":1}', '{"a":1}'],
    ['{"a":"</think>{"}', '{"a":"</think>{"}'],
    ["I'd rather not.", "I'd rather not."],
  ])("does not take thoughts for the answer: %s", async (content, answer) => {
    expect((await asked({ preset: "vllm" }, content)).answer).toBe(answer);
  });
});

describe("fields of the operator's own", () => {
  it("come last, and null leaves one out", async () => {
    const body = { reasoning_effort: null, max_tokens: 7, top_k: 20 };
    const { stream, ask } = await asked({ preset: "gemini", body });
    expect(special(stream)).toEqual({ ...usage, max_tokens: 7, top_k: 20 });
    expect(special(ask)).toEqual({ max_tokens: 7, top_k: 20 });
  });
});
