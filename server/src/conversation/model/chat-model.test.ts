import { describe, expect, it, vi } from "vitest";
import { ModelAway, ModelRefused } from "#models";
import type { StreamLimits } from "#models";
import { systemClock } from "#platform";
import { ChatModel } from "./chat-model.ts";
import { finish, modelUnderTest, receiver, text } from "./model-under-test.ts";
import type { ModelUnderTest, Received, Scripted } from "./model-under-test.ts";
import type { ReplyRequest } from "../conversation.ts";

/** Wide enough for a busy machine; narrow where a test waits for it. */
const WIDE = { firstTokenMs: 3_000, idleMs: 3_000, wholeMs: 4_000 };
const NARROW = { firstTokenMs: 300, idleMs: 150, wholeMs: 800 };

interface Outcome extends Received {
  provider: ModelUnderTest;
  error: unknown;
}

async function ask(
  script: Scripted[],
  more: Partial<ReplyRequest> = {},
  limits: StreamLimits = WIDE,
): Promise<Outcome> {
  const provider = await modelUnderTest(script);
  const price = { input: 1_000_000, output: 2_000_000 };
  const { url } = provider;
  const model = new ChatModel({
    url,
    key: undefined,
    name: "m",
    timeoutMs: 60_000,
    price,
    clock: systemClock,
    limits,
  });
  const received = receiver(more);
  const error = await model.reply(received.request).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return { ...received, provider, error };
}

const call = (index: number, id: string, name: string, args: string): object => ({
  choices: [{ delta: { tool_calls: [{ index, id, function: { name, arguments: args } }] } }],
});

describe("a model that talks", () => {
  it("hands over sentences as they are complete, tool calls, and what it cost", async () => {
    const { sentences, calls, usage, error } = await ask([
      { choices: [{ delta: { role: "assistant", content: "" } }] },
      text("Svc is a ser"),
      text("vice. It runs "),
      text("on your site."),
      call(0, "a", "show_content", '{"id":'),
      call(0, "", "", '"x"}'),
      finish("tool_calls"),
      { choices: [], usage: { prompt_tokens: 10, completion_tokens: 4 } },
    ]);
    expect(error).toBeUndefined();
    expect(sentences).toEqual(["Svc is a service.", "It runs on your site."]);
    expect(calls).toEqual([{ id: "a", name: "show_content", args: '{"id":"x"}' }]);
    const spent = { inputTokens: 10, outputTokens: 4, costMicros: 18 };
    expect(usage).toEqual([{ model: "m", usage: spent }]);
  });

  it("is told the conversation in the protocol's words", async () => {
    const tool = { name: "end_session", description: "Ends.", parameters: { type: "object" } };
    const { provider } = await ask([text("Yes."), finish()], {
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Bye" },
        { role: "assistant", toolCalls: [{ id: "abcdef123", name: "end_session", args: "{}" }] },
        { role: "tool", callId: "abcdef123", content: "Ends." },
      ],
      tools: [tool],
      toolChoice: "none",
    });
    expect(provider.requests).toEqual([
      {
        model: "m",
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Bye" },
          {
            role: "assistant",
            content: null,
            tool_calls: [
              {
                id: "abcdef123",
                type: "function",
                function: { name: "end_session", arguments: "{}" },
              },
            ],
          },
          { role: "tool", tool_call_id: "abcdef123", content: "Ends." },
        ],
        stream: true,
        stream_options: { include_usage: true },
        tools: [{ type: "function", function: tool }],
        tool_choice: "none",
      },
    ]);
  });

  it("costs what its texts suggest where the provider does not say", async () => {
    const { usage, request } = await ask([text("A sentence of thirty-six characters."), finish()]);
    const inputTokens = Math.ceil(JSON.stringify(request.messages).length / 4);
    const costMicros = inputTokens + 2 * 9;
    expect(usage).toEqual([
      { model: "m", usage: { inputTokens, outputTokens: 9, costMicros, estimated: true } },
    ]);
  });

  // L3
  it("is away when no token comes in time, though its connection is open", async () => {
    const { error, sentences } = await ask(
      [{ choices: [{ delta: { role: "assistant" } }] }, 600],
      {},
      NARROW,
    );
    expect(error).toEqual(new ModelAway("fell silent"));
    expect(sentences).toEqual([]);
  });

  // L3
  it("is away when it falls silent midway; whole sentences stay, the broken one is not said", async () => {
    const { error, sentences, usage, provider } = await ask(
      [text("One. Two. Thr"), 1_500, text("ee")],
      {},
      { ...WIDE, idleMs: 400 },
    );
    expect(error).toEqual(new ModelAway("fell silent"));
    expect(sentences).toEqual(["One.", "Two."]);
    expect(usage[0]?.usage.estimated).toBe(true);
    await expect.poll(() => provider.givenUp).toBe(1);
  });

  // L3
  it("is away when it drips without an end", async () => {
    const drips = Array.from({ length: 20 }, () => [text("a "), 100]).flat();
    const { error } = await ask(drips, {}, NARROW);
    expect(error).toEqual(new ModelAway("fell silent"));
  });

  it("is waited for while it thinks, sends empty chunks or keeps the connection open", async () => {
    const think = { choices: [{ delta: { reasoning_content: "Hm, let me see. " } }] };
    const signs = [think, { choices: [{ delta: { content: null } }] }, ": still here\n\n", think];
    const script = [...signs.flatMap((sign) => [sign, 250]), text("Yes."), finish()];
    const limits = { ...WIDE, firstTokenMs: 500, idleMs: 600 };
    const patient = await ask(script, {}, limits);
    expect(patient.error).toBeUndefined();
    expect(patient.sentences).toEqual(["Yes."]);
    // Control: where a fallback waits, only a word counts.
    const firm = await ask(script, {}, { ...limits, isFirstTokenFirm: true });
    expect(firm.error).toEqual(new ModelAway("fell silent"));
    expect(firm.sentences).toEqual([]);
  });

  it("is not given up sooner because it has sent an empty chunk", async () => {
    const begun = { choices: [{ delta: { role: "assistant", content: "" } }] };
    const limits = { ...WIDE, idleMs: 100 };
    const { sentences } = await ask([begun, 500, text("Yes."), finish()], {}, limits);
    expect(sentences).toEqual(["Yes."]);
  });

  it("is away when its answer breaks off, or is none of this protocol, and nothing of it is printed", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const outcomes = [
      await ask([text("One. Two")]),
      await ask(["data: {]\n\n"]),
      await ask([{ hello: 1 }]),
      await ask([{ choices: [{ delta: { content: 7 } }] }]),
    ];
    expect(outcomes.map(({ error }) => error instanceof ModelAway)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(outcomes[0]?.sentences).toEqual(["One."]);
    expect(printed).not.toHaveBeenCalled();
  });

  it("is done when it has finished, though it keeps the connection open", async () => {
    const { error, sentences } = await ask(
      [text("Yes."), finish(), 1_000],
      {},
      { ...WIDE, idleMs: 300 },
    );
    expect(error).toBeUndefined();
    expect(sentences).toEqual(["Yes."]);
  });

  // L7
  it("has refused when it declines, is filtered, or says nothing", async () => {
    const outcomes = [
      await ask([{ choices: [{ delta: { refusal: "I can't." } }] }, finish()]),
      await ask([finish("content_filter")]),
      await ask([text("  "), finish()]),
      await ask([text("Half a sen"), finish("content_filter")]),
    ];
    for (const { error, sentences } of outcomes) {
      expect(error).toBeInstanceOf(ModelRefused);
      expect(sentences).toEqual([]);
    }
  });

  it("does not say a sentence that its limit of tokens has cut, unless there is no other", async () => {
    expect((await ask([text("One. Two is lo"), finish("length")])).sentences).toEqual(["One."]);
    expect((await ask([text("One is lo"), finish("length")])).sentences).toEqual(["One is lo"]);
  });

  it("is given up at once when nobody waits for it", async () => {
    const nobody = new AbortController();
    const { error, provider, sentences, usage } = await ask(
      [text("One. Two."), 500, text(" Three.")],
      {
        signal: nobody.signal,
        onSentence: () => nobody.abort(),
      },
    );
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(ModelAway);
    expect(sentences).toEqual([]);
    expect(usage).toHaveLength(1);
    await expect.poll(() => provider.givenUp).toBe(1);
  });

  it("does not take our own mistakes for its own", async () => {
    const mistake = new TypeError("ours");
    const { error } = await ask([text("One. Two."), finish()], {
      onSentence: () => {
        throw mistake;
      },
    });
    expect(error).toBe(mistake);
  });
});
