import { systemClock } from "#platform";
import { startRehearsedModels } from "#testing";
import type { RehearsedModels } from "#testing";
import OpenAI from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLanguageModel, ModelClient } from "./model-client.ts";
import type { LanguageModel, ModelRequest, StreamRequest } from "./model-client.ts";
import {
  BudgetSpent,
  explainModelFailure,
  ModelAway,
  ModelBusy,
  ModelRefused,
} from "./model-errors.ts";
import { NO_USAGE, UsageSum } from "./model-usage.ts";
import { ToolCallPieces } from "./streamed-answer.ts";

const REQUEST: ModelRequest = {
  messages: [{ role: "user", content: "Judge this conversation." }],
  schema: {
    type: "object",
    properties: { summary: { type: "string" } },
    required: ["summary"],
    additionalProperties: false,
  },
  signal: new AbortController().signal,
};

async function rehearsed(
  faults: Parameters<RehearsedModels["rehearsal"]["setFaults"]>[0] = [],
  timeoutMs = 20_000,
) {
  const { rehearsal, models } = await startRehearsedModels({ timeoutMs });
  onTestFinished(() => rehearsal.close());
  await rehearsal.setFaults(faults);
  return { rehearsal, model: models.first };
}

const failureOf = (model: LanguageModel): Promise<unknown> =>
  model.ask(REQUEST).then(
    () => "answered",
    (error: unknown) => error,
  );

const placeAt = (url: string) => ({
  name: "first",
  url,
  key: undefined,
  timeoutMs: 20_000,
  price: { input: 0, output: 0 },
});

const streamed = (more: Partial<StreamRequest> = {}): StreamRequest => ({
  messages: REQUEST.messages.map(({ content }) => ({ role: "user", content })),
  tools: [],
  toolChoice: "none",
  maxTokens: 100,
  signal: REQUEST.signal,
  limits: { firstTokenMs: 20_000, idleMs: 20_000, wholeMs: 20_000 },
  onText: () => {},
  ...more,
});

describe("a language model", () => {
  it("answers with its text, and what it cost", async () => {
    const { model, rehearsal } = await rehearsed();
    const { text, usage } = await model.ask(REQUEST);
    expect(JSON.parse(text)).toHaveProperty("summary");
    const { promptTokens, completionTokens } = rehearsal.requests().recent[0]!;
    expect(usage).toEqual({
      inputTokens: promptTokens,
      outputTokens: completionTokens,
      costMicros: promptTokens + 2 * completionTokens,
    });
  });

  // L1 L2 L3
  it.each([
    "quota",
    "error_500",
    "error_503",
    "bad_key",
    "refuse",
    "reset",
    "stall",
    "stall_midway",
    "cut_midway",
    "drip",
  ] as const)("is away: %s", async (kind) => {
    const { model } = await rehearsed([{ kind }], 300);
    const failure = await failureOf(model);
    expect(failure).toBeInstanceOf(ModelAway);
    expect(failure).not.toBeInstanceOf(ModelBusy);
    expect(failure).toMatchObject({ retryAfterMs: undefined });
  });

  // L1
  it.each(["rate_limit_silent", "error_529"] as const)("is busy, not away: %s", async (kind) => {
    const { model, rehearsal } = await rehearsed([{ kind }]);
    for (let i = 0; i < 5; i++) expect(await failureOf(model)).toBeInstanceOf(ModelBusy);
    // It is not asked during its pause, and the circuit stays closed.
    expect(rehearsal.requests().total).toBe(1);
    expect(await model.isThere()).toBe(true);
  });

  // L1
  it("is asked again after its pause where no fallback can be asked", async () => {
    const { rehearsal } = await rehearsed([{ kind: "rate_limit_silent", times: 1 }]);
    const options = { ...placeAt(rehearsal.baseUrl), clock: systemClock };
    const alone = new ModelClient(options);
    expect(await failureOf(alone)).toBe("answered");
    expect(rehearsal.requests().total).toBe(2);
    // Control: with a fallback it fails at once, and the fallback answers.
    await rehearsal.setFaults([{ kind: "rate_limit_silent", times: 1 }]);
    const backed = new ModelClient({ ...options, hasFallback: true });
    expect(await failureOf(backed)).toBeInstanceOf(ModelBusy);
  });

  // L1
  it("is asked again by a streamed answer that has not begun", async () => {
    const { rehearsal } = await rehearsed([{ kind: "rate_limit_silent", times: 1 }]);
    const client = new ModelClient({ ...placeAt(rehearsal.baseUrl), clock: systemClock });
    const said: string[] = [];
    await client.stream(streamed({ onText: (text) => said.push(text) }));
    expect(said.join("")).not.toBe("");
    expect(rehearsal.requests().total).toBe(2);
  });

  it("gives up the wait for a busy provider when its caller gives up", async () => {
    const { rehearsal } = await rehearsed([{ kind: "rate_limit", retryAfterSecs: 1 }]);
    const client = new ModelClient({ ...placeAt(rehearsal.baseUrl), clock: systemClock });
    const asking = client.ask({ ...REQUEST, signal: AbortSignal.timeout(50) });
    await expect(asking).rejects.toThrow("aborted");
  });

  // S12
  it("repeats of what a provider says only its code", async () => {
    const { model } = await rehearsed([{ kind: "bad_key" }]);
    const failure = await failureOf(model);
    expect(failure).toMatchObject({ message: "answered 401 (invalid_api_key)" });
  });

  // L1
  it("says when to come back, where the provider says so", async () => {
    const { model } = await rehearsed([{ kind: "rate_limit", retryAfterSecs: 7 }]);
    expect(await failureOf(model)).toMatchObject({ name: "ModelBusy", retryAfterMs: 7_000 });
  });

  // L7
  it.each(["empty", "refusal", "content_filter"] as const)("refuses: %s", async (kind) => {
    const { model } = await rehearsed([{ kind }]);
    const bill = new UsageSum();
    const asking = model.ask({ ...REQUEST, charge: bill.charge });
    await expect(asking).rejects.toBeInstanceOf(ModelRefused);
    // It was paid for all the same.
    expect(bill.all.inputTokens).toBeGreaterThan(0);
  });

  it("refuses what the provider calls a bad request", async () => {
    const { model } = await rehearsed();
    await expect(model.ask({ ...REQUEST, messages: [] })).rejects.toBeInstanceOf(ModelRefused);
  });

  // L5
  it("does not read an answer to its end that has none", async () => {
    const { model } = await rehearsed([{ kind: "huge_string" }]);
    expect(await failureOf(model)).toBeInstanceOf(ModelAway);
  });

  // L9
  it("books no more than a column holds, whatever usage the provider tells", async () => {
    const { model } = await rehearsed([{ kind: "wrong_usage" }]);
    const { usage } = await model.ask(REQUEST);
    expect(usage).toEqual({
      inputTokens: 1_000_000,
      outputTokens: 1_000_000,
      costMicros: 3_000_000,
    });
  });

  it("is given up when its caller gives up", async () => {
    const { model, rehearsal } = await rehearsed([{ kind: "stall" }]);
    const caller = new AbortController();
    const bill = new UsageSum();
    const asking = model.ask({ ...REQUEST, signal: caller.signal, charge: bill.charge });
    // It counts from the moment it is sent, with all that its answer may take.
    expect(bill.all).toMatchObject({ outputTokens: 4_000 });
    setTimeout(() => caller.abort(), 50);
    await expect(asking).rejects.toThrow("aborted");
    // The model has read what it was sent.
    expect(bill.all).toMatchObject({ outputTokens: 0 });
    expect(bill.all.inputTokens).toBeGreaterThan(10);
    await rehearsal.setFaults([]);
    expect(await model.ask(REQUEST)).toBeDefined();
  });

  it("costs nothing where the provider answers with an error", async () => {
    const { model } = await rehearsed([{ kind: "error_503" }]);
    const bill = new UsageSum();
    await expect(model.ask({ ...REQUEST, charge: bill.charge })).rejects.toThrow("answered 503");
    expect(bill.all).toEqual(NO_USAGE);
  });

  it("is not asked where nothing more may be spent", async () => {
    const { model, rehearsal } = await rehearsed();
    const charge = (): never => {
      throw new BudgetSpent();
    };
    await expect(model.ask({ ...REQUEST, charge })).rejects.toThrow(BudgetSpent);
    expect(rehearsal.requests().total).toBe(0);
  });

  // L2
  it("is not asked again for a while after three failures", async () => {
    const { model, rehearsal } = await rehearsed([{ kind: "error_503" }]);
    for (let i = 0; i < 10; i++) expect(await failureOf(model)).toBeInstanceOf(ModelAway);
    expect(rehearsal.requests().total).toBe(3);
    expect(await model.isThere()).toBe(false);
  });

  it("shares one circuit breaker between whole and streamed answers", async () => {
    const { rehearsal } = await rehearsed([{ kind: "error_503" }]);
    const client = new ModelClient({ ...placeAt(rehearsal.baseUrl), clock: systemClock });
    const stream = (): Promise<unknown> => client.stream(streamed());
    await expect(stream()).rejects.toThrow("answered 503");
    await expect(client.ask(REQUEST)).rejects.toThrow("answered 503");
    await expect(stream()).rejects.toThrow("answered 503");
    expect(client.isCircuitOpen).toBe(true);
    await expect(stream()).rejects.toThrow("was away a moment ago");
    await expect(client.ask(REQUEST)).rejects.toThrow("was away a moment ago");
    expect(rehearsal.requests().total).toBe(3);
  });

  it("is there when its provider answers", async () => {
    const { model, rehearsal } = await rehearsed();
    expect(await model.isThere()).toBe(true);
    await rehearsal.setFaults([{ kind: "refuse" }]);
    expect(await model.isThere()).toBe(false);
    expect(rehearsal.requests().total).toBe(0);
  });

  it("sends its key, and nothing that looks like one where it has none", async () => {
    const { rehearsal } = await startRehearsedModels();
    onTestFinished(() => rehearsal.close());
    const keyed = createLanguageModel({
      ...placeAt(rehearsal.baseUrl),
      key: "secret",
      clock: systemClock,
    });
    expect((await keyed.ask(REQUEST)).usage.costMicros).toBe(0);
  });
});

/** What a failed request is taken for. */
function takenFor(
  status: number | undefined,
  error: object,
  headers: Record<string, string> = {},
): unknown {
  try {
    return explainModelFailure(new OpenAI.APIError(status, error, undefined, new Headers(headers)));
  } catch (explained) {
    return explained;
  }
}

const ANSWERED_AT = "Mon, 16 Nov 2026 10:00:00 GMT";

describe("a provider that takes no more requests", () => {
  // L1
  it.each([
    ["OpenAI", 429, { code: "rate_limit_exceeded", type: "tokens" }],
    ["Azure", 429, { code: "429" }],
    ["Gemini, which sends a list", 429, [{ error: { status: "RESOURCE_EXHAUSTED" } }]],
    ["Mistral", 429, { type: "service_tier_capacity_exceeded", code: "3505" }],
    ["Groq", 498, { code: "capacity_exceeded" }],
    ["Anthropic", 529, { type: "overloaded_error" }],
    ["Anthropic in a stream", undefined, { type: "overloaded_error" }],
    ["OpenRouter in a stream", undefined, { code: 429, message: "slow down" }],
  ])("is busy: %s", (_, status, error) => {
    expect(takenFor(status, error)).toBeInstanceOf(ModelBusy);
  });

  it.each([
    ["OpenAI without credit", 429, { code: "insufficient_quota", type: "insufficient_quota" }],
    ["Moonshot without credit", 429, { type: "exceeded_current_quota_error" }],
    ["DeepSeek without credit", 402, { message: "Insufficient Balance" }],
    ["a restart", 503, { type: "server_error" }],
    ["an unknown error in a stream", undefined, { type: "server_error" }],
  ])("is away: %s", (_, status, error) => {
    const taken = takenFor(status, error);
    expect(taken).toBeInstanceOf(ModelAway);
    expect(taken).not.toBeInstanceOf(ModelBusy);
  });

  it.each<[Record<string, string>, number | undefined]>([
    [{ "retry-after": "7" }, 7_000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "7", "retry-after-ms": "6500" }, 6_500],
    [{ "retry-after": "Mon, 16 Nov 2026 10:00:09 GMT", date: ANSWERED_AT }, 9_000],
    [{ "retry-after": "Mon, 16 Nov 2026 11:00:00 GMT", date: ANSWERED_AT }, 60_000],
    [{ "retry-after": "Mon, 16 Nov 2026 09:00:00 GMT", date: ANSWERED_AT }, undefined],
    [{ "retry-after": "Mon, 16 Nov 2026 10:00:09 GMT" }, undefined],
    [{ "retry-after": "86400" }, 60_000],
    [{ "retry-after": "-3" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{}, undefined],
  ])("is heard, and for a minute at most: %o", (headers, retryAfterMs) => {
    expect(takenFor(429, {}, headers)).toMatchObject({ retryAfterMs });
  });
});

function whole(...pieces: { index?: number; id?: string; name?: string; args?: string }[]) {
  const calls = new ToolCallPieces();
  for (const { index, id = "", name = "", args = "" } of pieces)
    calls.add({ index, id, name, args });
  return calls.whole();
}

describe("tool calls that come in pieces", () => {
  it("are put together by their number", () => {
    expect(
      whole(
        { index: 0, id: "a", name: "show_content" },
        { index: 1, id: "b", name: "note_answer", args: '{"ques' },
        { index: 0, args: '{"id":"x"}' },
        { index: 1, args: 'tion":"q"}' },
      ),
    ).toEqual([
      { id: "a", name: "show_content", args: '{"id":"x"}' },
      { id: "b", name: "note_answer", args: '{"question":"q"}' },
    ]);
  });

  it("are each their own where the server gives no numbers and no ids", () => {
    expect(whole({ name: "end_session", args: "{}" }, { name: "ask_email", args: "{}" })).toEqual([
      { id: "call_0", name: "end_session", args: "{}" },
      { id: "call_1", name: "ask_email", args: "{}" },
    ]);
  });

  it("are nothing without a name", () => {
    expect(whole({ index: 0, args: "{}" })).toEqual([]);
  });
});
