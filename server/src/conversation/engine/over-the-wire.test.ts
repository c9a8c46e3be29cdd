import { setTimeout as delay } from "node:timers/promises";
import { readFileSync } from "node:fs";
import { Template } from "@huggingface/jinja";
import { describe, expect, it, onTestFinished } from "vitest";
import { startRehearsedModels } from "#testing";
import type { RehearsedModels } from "#testing";
import { systemClock } from "#platform";
import type { DemoAgent } from "../conversation.ts";
import { ChatModels } from "../model/chat-models.ts";
import { finish, modelUnderTest, text } from "../model/model-under-test.ts";
import type { Scripted } from "../model/model-under-test.ts";
import { wordsOf } from "#language";
import { agentUnderTest } from "../state/agent-under-test.ts";
import { conversationUnderTest } from "./conversation-under-test.ts";
import type { ConversationUnderTest } from "./conversation-under-test.ts";

type Rehearsal = RehearsedModels["rehearsal"];

/** A conversation whose one model is the stand-in, over the network. */
async function rehearsed(
  ...faults: Parameters<Rehearsal["setFaults"]>[0]
): Promise<ConversationUnderTest & { rehearsal: Rehearsal }> {
  const { rehearsal } = await startRehearsedModels();
  onTestFinished(() => rehearsal.close());
  await rehearsal.setFaults(faults);
  const models = new ChatModels({
    first: {
      url: rehearsal.baseUrl,
      key: undefined,
      name: "first",
      timeoutMs: 60_000,
      price: { input: 0, output: 0 },
    },
    clock: systemClock,
    limits: { firstTokenMs: 1_500, idleMs: 1_000, wholeMs: 4_000 },
  });
  return { rehearsal, ...(await conversationUnderTest([], { models, agent: largeAgent() })) };
}

/** It knows too much for the prompt, so that it searches. */
function largeAgent(): DemoAgent {
  const agent = agentUnderTest();
  agent.knowledge.push({ name: "more.md", text: "word ".repeat(6_000) });
  return agent;
}

describe("a search", () => {
  const signed = { google: { thought_signature: "c2lnbmVk" } };
  it.each([
    ["with what it has signed, to Gemini", "gemini" as const, signed],
    ["without it, to others", "openai" as const, undefined],
  ])("is given back %s", async (_, preset, extra) => {
    const called = { name: "search_knowledge", arguments: '{"query":"price"}' };
    const call = { index: 0, id: "function-call-1", function: called, extra_content: signed };
    const provider = await modelUnderTest((request) =>
      request === 0
        ? [{ choices: [{ delta: { tool_calls: [call] } }] }, finish("tool_calls")]
        : [text("It says nothing of that."), finish()],
    );
    const price = { input: 0, output: 0 };
    const first = { url: provider.url, key: undefined, name: "m", timeoutMs: 5_000, price, preset };
    const models = new ChatModels({ first, clock: systemClock });
    const { conversation } = await conversationUnderTest([], { models, agent: largeAgent() });
    await conversation.hear("What does it cost?");
    const [, second] = provider.requests as { messages: Record<string, unknown>[] }[];
    const [made] = second!.messages.find(({ tool_calls }) => tool_calls)!["tool_calls"] as object[];
    expect(made).toMatchObject({ function: called });
    expect((made as { extra_content?: object }).extra_content).toEqual(extra);
  });
});

describe("a demo with a provider that fails", () => {
  // L1 L2 L3 L7
  it.each(["rate_limit", "error_503", "reset", "stall", "empty", "refusal"] as const)(
    "goes on with a phrase, and then with the model: %s",
    async (kind) => {
      const { conversation, log, rehearsal } = await rehearsed({ kind });
      await conversation.hear("What is Svc?");
      expect(log.lines.at(-1)).toBe(`assistant: ${wordsOf([], "en").spoken.one_moment}`);
      await rehearsal.setFaults([]);
      // As long as the provider has asked for.
      if (kind === "rate_limit") await delay(1_000);
      await conversation.hear("What is Svc?");
      expect(log.turns.at(-1)).toMatchObject({ role: "assistant", interrupted: false });
      expect(log.lines.at(-1)).not.toContain(wordsOf([], "en").spoken.one_moment);
      expect(log.of("ended")).toEqual([]);
    },
  );

  // L3
  it.each(["stall_midway", "cut_midway"] as const)(
    "keeps whole sentences of an answer that breaks off: %s",
    async (kind) => {
      const { conversation, log } = await rehearsed({ kind });
      await conversation.hear("What is Svc, and how do I install it?");
      expect(log.lines).toHaveLength(2);
      expect(log.turns[1]?.content).toMatch(/[.!?]$/);
    },
  );

  // L8
  it.each(["tool_flood", "tool_loop"] as const)(
    "searches at most eight times: %s",
    async (kind) => {
      const { conversation, log } = await rehearsed({ kind });
      await conversation.hear("What is Svc?");
      expect(log.of("reply")).toEqual([
        expect.objectContaining({ searches: expect.toSatisfy((count: number) => count <= 8) }),
      ]);
      expect(log.turns.at(-1)?.role).toBe("assistant");
    },
  );
});

interface WireMessage {
  role: string;
  content?: string;
  tool_calls?: { id: string; function: { name: string; arguments: unknown } }[];
}
interface WireRequest {
  messages: WireMessage[];
  tools?: object[];
  chat_template_kwargs?: object;
}

/** The requests of a talk in which the model is sent back once, and searches in a later turn. */
async function requestsOfTalk(): Promise<WireRequest[]> {
  const search = { name: "search_knowledge", arguments: '{"query":"price"}' };
  const call = { index: 0, id: "call_of-another-model", function: search };
  const answers: Scripted[][] = [
    [text("⟦show snippet⟧It is a service. It costs 4711 euros."), finish()],
    [text("A person will tell you the price."), finish()],
    [text("Yes."), finish()],
    [{ choices: [{ delta: { tool_calls: [call] } }] }, finish("tool_calls")],
    [text("It says nothing about that."), finish()],
    [text("Gladly."), finish()],
  ];
  const provider = await modelUnderTest((request) => answers[request]!);
  const price = { input: 0, output: 0 };
  const place = { url: provider.url, key: undefined, name: "m", timeoutMs: 5_000, price };
  const first = { ...place, preset: "vllm" as const };
  const models = new ChatModels({ first, clock: systemClock, limits: { firstTokenMs: 9_000 } });
  const knowledge = [{ name: "a.md#A", text: "All about it. ".repeat(2_000) }];
  const agent = { ...agentUnderTest(), knowledge };
  const { conversation } = await conversationUnderTest([], { agent, models });
  await conversation.begin();
  await conversation.hear("What does it cost?");
  await conversation.hear("Is it signed?");
  await conversation.hear("What do the papers say?");
  await conversation.hear("Thanks.");
  expect(provider.requests).toHaveLength(answers.length);
  return provider.requests as WireRequest[];
}

/** Renders as vLLM and llama.cpp do: they hand a template the arguments of a call as an object. */
function render(template: string, request: WireRequest): string {
  const { messages, tools, chat_template_kwargs } = request;
  const told = messages.map((message) => ({
    ...message,
    ...(message.tool_calls && {
      tool_calls: message.tool_calls.map(({ function: called, ...rest }) => ({
        ...rest,
        function: { ...called, arguments: JSON.parse(String(called.arguments)) },
      })),
    }),
  }));
  const source = readFileSync(new URL(`chat-templates/${template}.jinja`, import.meta.url), "utf8");
  return new Template(source).render({
    messages: told,
    ...(tools && { tools }),
    ...chat_template_kwargs,
    add_generation_prompt: true,
    bos_token: "<s>",
    eos_token: "</s>",
  });
}

/** `begin`: how the answer begins behind the prompt. `searches`: whether the template knows results of tools. */
const TEMPLATES = [
  { template: "qwen-2.5", begin: "<|im_start|>assistant\n", searches: true },
  // The preset keeps it from thinking.
  { template: "qwen-3", begin: "<|im_start|>assistant\n<think>\n\n</think>\n\n", searches: true },
  {
    template: "llama-3",
    begin: "<|start_header_id|>assistant<|end_header_id|>\n\n",
    searches: false,
  },
  { template: "mistral-v3", begin: "[/INST]", searches: true },
  { template: "mistral-v7", begin: "[/INST]", searches: false },
  { template: "gemma-3", begin: "<start_of_turn>model\n", searches: false },
];

describe("the chat template", { timeout: 30_000 }, () => {
  /** Played once, by whichever test is first. */
  let talk: Promise<WireRequest[]> | undefined;
  const played = (): Promise<WireRequest[]> => (talk ??= requestsOfTalk());
  const hasSearch = ({ messages }: WireRequest): boolean =>
    messages.some(({ role }) => role === "tool");

  it.each(TEMPLATES)(
    "of $template takes every message, in its order",
    async ({ template, begin }) => {
      const plain = (await played()).filter((request) => !hasSearch(request));
      expect(plain).toHaveLength(4);
      for (const request of plain) {
        const rendered = render(template, request);
        let at = -1;
        for (const { content } of request.messages.slice(1)) {
          const next = rendered.indexOf(content!.trim(), at + 1);
          expect(next, content).toBeGreaterThan(at);
          at = next;
        }
        expect(rendered).toContain(request.messages[0]!.content!.trim());
        expect(rendered.trimEnd().endsWith(begin.trimEnd())).toBe(true);
      }
    },
  );

  it.each(TEMPLATES.filter(({ searches }) => searches))(
    "of $template takes a search and its result",
    async ({ template }) => {
      const searched = (await played()).filter(hasSearch);
      expect(searched).toHaveLength(2);
      for (const request of searched) {
        const rendered = render(template, request);
        const result = request.messages.find(({ role }) => role === "tool")!;
        expect(rendered).toContain(result.content);
        expect(rendered).toMatch(/"name": ?"search_knowledge"/);
      }
    },
  );

  it.each(["mistral-v3", "gemma-3"])("of %s would refuse what others allow", async (template) => {
    const { messages } = (await played())[0]!;
    const last = messages.at(-1)!;
    const twice = { messages: [...messages, { role: "user", content: "And?" }] };
    const late = { messages: [...messages.slice(0, -1), { role: "system", content: "!" }, last] };
    expect(() => render(template, { messages })).not.toThrow();
    expect(() => render(template, twice)).toThrow(/alternate/);
    expect(() => render(template, late)).toThrow(/alternate|supported/);
  });

  it("of Mistral would refuse the ids of other models", async () => {
    const request = structuredClone((await played()).find(hasSearch)!);
    for (const message of request.messages)
      for (const call of message.tool_calls ?? []) call.id = "call_of-another-model";
    expect(() => render("mistral-v3", request)).toThrow(/length 9/);
  });
});
