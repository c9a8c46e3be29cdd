import { startRehearsedModels } from "#testing";
import type { RehearsedModels } from "#testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Conversation, Rubric } from "./rubric-of.ts";
import { JudgeError, judgeConversation } from "./judge.ts";
import type { EvaluationModels, Judgement } from "./judge.ts";
import { NO_USAGE } from "#models";
import type { LanguageModel, ModelRequest } from "#models";

const RUBRIC: Rubric = {
  names: ["Guide", "Example"],
  languages: ["en"],
  defaultLanguage: "en",
  recordLanguage: "en",
  questions: [{ key: "team_size", text: "How many people are in your team?" }],
  insights: [{ key: "current_tool", text: "The tool that the team works with today" }],
  qualification: { qualified: "A team of ten or more." },
  knowledge: [],
};

const CONVERSATION: Conversation = {
  turns: [
    { role: "assistant", content: "Hello. How many people are in your team?", interrupted: false },
    { role: "user", content: "We are twelve people in sales.", interrupted: false },
    { role: "assistant", content: "And what do you use today?", interrupted: false },
    { role: "user", content: "Our team works with a spreadsheet as its tool.", interrupted: false },
  ],
  metadata: {},
};

type Faults = Parameters<RehearsedModels["rehearsal"]["setFaults"]>[0];

async function rehearsed(faults: Faults, options: { timeoutMs?: number } = {}) {
  const { rehearsal, models } = await startRehearsedModels(options);
  onTestFinished(() => rehearsal.close());
  await rehearsal.setFaults(faults);
  const judged = (): { model: string }[] =>
    rehearsal.requests().recent.filter(({ kind }) => kind === "evaluation");
  return { models, asked: () => judged().map(({ model }) => model) };
}

const judge = (
  models: EvaluationModels,
  signal = new AbortController().signal,
): Promise<Judgement> => judgeConversation(models, RUBRIC, CONVERSATION, { signal });

async function failureOf(models: EvaluationModels, signal?: AbortSignal): Promise<JudgeError> {
  const error = await judge(models, signal).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (!(error instanceof JudgeError)) throw new Error("it was judged", { cause: error });
  return error;
}

describe("judging a conversation", () => {
  it("asks the first model once and proves what it says", async () => {
    const { models, asked } = await rehearsed([]);
    const { checked, model, usage, promptHash } = await judge(models);
    expect(asked()).toEqual(["first"]);
    expect(model).toBe("first");
    expect(promptHash).toHaveLength(32);
    expect(usage.costMicros).toBe(usage.inputTokens + 2 * usage.outputTokens);
    expect(checked.evaluation).toMatchObject({
      language: "en",
      questions: { team_size: { was_asked: true, was_answered: true } },
      qualification: { status: "qualified" },
    });
    expect(checked.summary).toContain("twelve");
  });

  // L4
  it.each(["prose", "truncated"] as const)(
    "has an answer repaired that cannot be read: %s",
    async (kind) => {
      const { models, asked } = await rehearsed([{ kind, times: 2 }]);
      const { checked, usage } = await judge(models);
      expect(asked()).toEqual(["first", "first", "first"]);
      expect(checked.evaluation.qualification?.status).toBe("qualified");
      // All three are on the bill.
      expect(usage.inputTokens).toBeGreaterThan(3 * 400);
    },
  );

  // L4
  it("reads JSON in a code fence as it is", async () => {
    const { models, asked } = await rehearsed([{ kind: "code_fence" }]);
    expect((await judge(models)).checked.evaluation.qualification?.status).toBe("qualified");
    expect(asked()).toEqual(["first"]);
  });

  // L4
  it("asks the fallback after two repairs, and repairs no more", async () => {
    const { models, asked } = await rehearsed([{ kind: "prose", model: "first" }]);
    expect((await judge(models)).model).toBe("fallback");
    expect(asked()).toEqual(["first", "first", "first", "fallback"]);
  });

  // L4 L13
  it("gives up when the fallback cannot be read either", async () => {
    const { models, asked } = await rehearsed([{ kind: "prose" }]);
    const { failure, usage } = await failureOf(models);
    expect(failure).toBe("model_output");
    expect(usage.inputTokens).toBeGreaterThan(0);
    expect(asked()).toEqual(["first", "first", "first", "fallback"]);
  });

  it("tells the model what is wrong, beside the beginning of what it said", async () => {
    const requests: ModelRequest[] = [];
    const rambling: LanguageModel = {
      name: "rambling",
      isThere: async () => true,
      ask: async (request) => {
        requests.push({ ...request, messages: [...request.messages] });
        return { text: "x".repeat(50_000), usage: NO_USAGE };
      },
    };
    const { failure } = await failureOf({ first: rambling, fallback: undefined });
    expect(failure).toBe("model_output");
    expect(requests.map(({ messages }) => messages.length)).toEqual([2, 4, 6]);
    const [, , said, repair] = requests[1]!.messages;
    expect(said).toEqual({ role: "assistant", content: "x".repeat(8_000) });
    expect(repair).toMatchObject({ role: "user" });
    expect(repair!.content).toContain("The answer is no JSON.");
  });

  // L5
  it.each(["extra_keys", "unknown_question", "bad_enum", "nulls"] as const)(
    "lets nothing out that was not asked for: %s",
    async (kind) => {
      const { models } = await rehearsed([{ kind, times: 1 }]);
      const { evaluation } = (await judge(models)).checked;
      expect(Object.keys(evaluation.questions ?? {})).toEqual(["team_size"]);
      expect(["current_tool"]).toEqual(
        expect.arrayContaining(Object.keys(evaluation.insights ?? {})),
      );
      expect(JSON.stringify(evaluation)).not.toMatch(
        /null|confidence|internal_notes|weight|favourite_colour|shoe_size|very_qualified/,
      );
    },
  );

  // L5
  it("takes an endless answer for none, and asks the fallback", async () => {
    const { models } = await rehearsed([{ kind: "huge_string", model: "first" }]);
    expect((await judge(models)).model).toBe("fallback");
  });

  // L6
  it.each(["made_up_name", "made_up_email", "made_up_quote"] as const)(
    "believes no claim that the conversation does not show: %s",
    async (kind) => {
      const { models } = await rehearsed([{ kind }]);
      const { checked } = await judge(models);
      expect(JSON.stringify(checked)).not.toMatch(/Quackenbush|quackenbush|700/);
      expect(checked.dropped).not.toEqual([]);
    },
  );

  // L7
  it.each(["empty", "refusal", "content_filter"] as const)(
    "asks the fallback when the first refuses: %s",
    async (kind) => {
      const { models, asked } = await rehearsed([{ kind, model: "first" }]);
      expect((await judge(models)).model).toBe("fallback");
      expect(asked()).toEqual(["first", "fallback"]);
    },
  );

  // L7
  it("gives up when both refuse", async () => {
    const { models, asked } = await rehearsed([{ kind: "refusal" }]);
    expect((await failureOf(models)).failure).toBe("model_refused");
    expect(asked()).toEqual(["first", "fallback"]);
  });

  // L1 L2 L3
  it.each(["rate_limit", "error_503", "reset", "stall"] as const)(
    "asks the fallback when the first is away: %s",
    async (kind) => {
      const options = kind === "stall" ? { timeoutMs: 300 } : {};
      const { models } = await rehearsed([{ kind, model: "first" }], options);
      expect((await judge(models)).model).toBe("fallback");
    },
  );

  // L1
  it("is to be tried again when both are away, as late as they say", async () => {
    const { models } = await rehearsed([{ kind: "rate_limit", retryAfterSecs: 9 }]);
    expect(await failureOf(models)).toMatchObject({ failure: "model_away", retryAfterMs: 9_000 });
  });

  it("is to be tried again when one is away, though the other refuses", async () => {
    for (const away of ["first", "fallback"]) {
      const refuses = away === "first" ? "fallback" : "first";
      const { models } = await rehearsed([
        { kind: "error_503", model: away },
        { kind: "refusal", model: refuses },
      ]);
      expect((await failureOf(models)).failure).toBe("model_away");
    }
  });

  // L3
  it("is over when its time is", async () => {
    const { models, asked } = await rehearsed([{ kind: "stall" }]);
    const budget = new AbortController();
    const failing = failureOf(models, budget.signal);
    await vi.waitFor(() => expect(asked()).toEqual(["first"]), 10_000);
    budget.abort();
    expect((await failing).failure).toBe("model_away");
    expect(asked()).toEqual(["first"]);
  });
});
