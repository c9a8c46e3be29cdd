import { describe, expect, it, onTestFinished } from "vitest";
import { captureLog, createFakeClock, startRehearsedModels } from "#testing";
import type { RehearsedModels } from "#testing";
import { ModelAway, ModelRefused } from "#models";
import { systemClock } from "#platform";
import { ChatModels } from "./chat-models.ts";
import type { ModelPlace } from "#models";
import type { ChatModelsOptions } from "./chat-models.ts";
import { finish, modelUnderTest, receiver, text } from "./model-under-test.ts";
import type { Received } from "./model-under-test.ts";

type Rehearsal = RehearsedModels["rehearsal"];
type Faults = Parameters<Rehearsal["setFaults"]>[0];

const LIMITS = { firstTokenMs: 1_500, idleMs: 1_000, wholeMs: 4_000 };

async function rehearsed(
  faults: Faults,
  options: Partial<ChatModelsOptions> & { alone?: boolean } = {},
): Promise<{ rehearsal: Rehearsal; models: ChatModels }> {
  const { rehearsal } = await startRehearsedModels();
  onTestFinished(() => rehearsal.close());
  await rehearsal.setFaults(faults);
  const place = (name: string): ModelPlace => ({
    url: rehearsal.baseUrl,
    key: undefined,
    name,
    timeoutMs: 60_000,
    price: { input: 0, output: 0 },
  });
  const { alone = false, clock = systemClock, limits = LIMITS, log } = options;
  const fallback = alone ? undefined : place("fallback");
  const models = new ChatModels({ first: place("first"), fallback, clock, limits, log });
  return { rehearsal, models };
}

async function reply(models: ChatModels): Promise<Received & { error: unknown; tookMs: number }> {
  const received = receiver();
  const startedMs = performance.now();
  const error = await models.reply(received.request).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return { ...received, error, tookMs: performance.now() - startedMs };
}

describe("the models that talk", () => {
  it("are the first, as long as it answers", async () => {
    const { models, rehearsal } = await rehearsed([]);
    const { sentences, troubles, error } = await reply(models);
    expect(error).toBeUndefined();
    expect(sentences.length).toBeGreaterThan(0);
    expect(troubles).toEqual([]);
    expect(rehearsal.requests().recent.map(({ model }) => model)).toEqual(["first"]);
  });

  // L1 L2 L3 L7
  it.each([
    "rate_limit",
    "rate_limit_silent",
    "error_500",
    "error_503",
    "error_529",
    "bad_key",
    "reset",
    "stall",
    "drip",
    "empty",
    "refusal",
    "content_filter",
  ] as const)("are the fallback, at once, when the first fails: %s", async (kind) => {
    const { models, rehearsal } = await rehearsed([{ kind, model: "first" }]);
    const { sentences, troubles, error, tookMs } = await reply(models);
    expect(error).toBeUndefined();
    expect(sentences.length).toBeGreaterThan(0);
    expect(troubles).toEqual([expect.stringMatching(/^first: /)]);
    expect(
      rehearsal
        .requests()
        .recent.map(({ model }) => model)
        .toSorted(),
    ).toEqual(["fallback", "first"]);
    expect(tookMs).toBeLessThan(LIMITS.firstTokenMs + 2_000);
  });

  it("are waited for where they think first, though a fallback waits", async () => {
    const { url } = await modelUnderTest([2_000, text("Yes."), finish()]);
    const place = (name: string, preset?: "openai-reasoning"): ModelPlace => ({
      url,
      key: undefined,
      name,
      timeoutMs: 60_000,
      price: { input: 0, output: 0 },
      preset,
    });
    const modelsOf = (first: ModelPlace): ChatModels =>
      new ChatModels({ first, fallback: place("fallback"), clock: systemClock });
    const thinking = modelsOf(place("first", "openai-reasoning"));
    expect(thinking.signOfLifeMs).toBe(4_000);
    expect(await reply(thinking)).toMatchObject({ sentences: ["Yes."], troubles: [] });
    // Control: without the preset the fallback is asked.
    const plain = modelsOf(place("first"));
    expect(plain.signOfLifeMs).toBeUndefined();
    expect((await reply(plain)).troubles).toEqual(["first: ModelAway: fell silent"]);
  });

  // L2
  it("are away when none can be reached, and are not asked again and again", async () => {
    const { models, rehearsal } = await rehearsed([{ kind: "error_503" }]);
    for (let turn = 0; turn < 3; turn += 1)
      expect((await reply(models)).error).toEqual(
        new ModelAway("answered 503", { isUnbilled: true }),
      );
    expect(models.answers).toBe(false);
    const asked = rehearsal.requests().recent.length;
    expect((await reply(models)).error).toMatchObject({ message: "was away a moment ago" });
    expect(rehearsal.requests().recent).toHaveLength(asked);
  });

  it("are asked again when the break is over", async () => {
    const clock = createFakeClock();
    const { models, rehearsal } = await rehearsed([{ kind: "error_500" }], { clock, alone: true });
    for (let turn = 0; turn < 3; turn += 1) await reply(models);
    expect(models.answers).toBe(false);
    await rehearsal.setFaults([]);
    clock.advance(5_000);
    expect((await reply(models)).error).toBeUndefined();
    expect(models.answers).toBe(true);
  });

  // L7
  it("have refused when each of them has", async () => {
    const { models } = await rehearsed([{ kind: "refusal" }]);
    expect((await reply(models)).error).toBeInstanceOf(ModelRefused);
    expect(models.answers).toBe(true);
  });

  // L12
  it("do not answer when nobody is there at the start, and do when somebody is", async () => {
    const { models, rehearsal } = await rehearsed([{ kind: "refuse" }]);
    onTestFinished(() => models.stopWatching());
    await models.watch();
    expect(models.answers).toBe(false);
    await rehearsal.setFaults([]);
    await models.watch();
    expect(models.answers).toBe(true);
  });

  it("tell the operator when one is away, why, and when it is back, once each", async () => {
    const { log, lines } = captureLog();
    const { models, rehearsal } = await rehearsed([], { log, alone: true });
    onTestFinished(() => models.stopWatching());
    const told = (): unknown[] =>
      lines().map(({ level, msg, model, trouble }) => ({ level, msg, model, trouble }));
    await models.watch();
    expect(told()).toEqual([]);
    await rehearsal.setFaults([{ kind: "refuse" }]);
    await models.watch();
    await models.watch();
    const trouble = "not to be reached (ECONNREFUSED)";
    const away = { level: "warn", msg: "a model is away", model: "first", trouble };
    expect(told()).toEqual([away]);
    await rehearsal.setFaults([]);
    // A visitor who is answered meanwhile changes nothing of what is told.
    await reply(models);
    await models.watch();
    await models.watch();
    expect(told()).toEqual([
      away,
      { level: "info", msg: "a model is there again", model: "first" },
    ]);
  });

  it("are checked one by one, the first before the fallback", async () => {
    const { models, rehearsal } = await rehearsed([]);
    const names = async (): Promise<string[]> => (await models.check()).map(({ name }) => name);
    expect(await names()).toEqual(["first", "fallback"]);
    expect(rehearsal.requests().recent).toEqual([]);
  });
});
