import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimatedUsage, usageOf } from "./model-usage.ts";

const PRICE = { input: 150_000, output: 600_000 };

describe("what a request took", () => {
  it("is priced by the million tokens, and rounded up", () => {
    expect(usageOf({ prompt_tokens: 1_000, completion_tokens: 101 }, PRICE)).toEqual({
      inputTokens: 1_000,
      outputTokens: 101,
      costMicros: 211,
    });
  });

  it.each([
    ["OpenAI, Gemini, vLLM, llama.cpp", { prompt_tokens_details: { cached_tokens: 800 } }],
    ["DeepSeek", { prompt_cache_hit_tokens: 800 }],
    ["gateways to Claude", { cache_read_input_tokens: 800 }],
  ])("has a price of its own for input from a cache, as it is named by %s", (_, cached) => {
    const usage = { prompt_tokens: 1_000, completion_tokens: 100, ...cached };
    const { costMicros, inputTokens } = usageOf(usage, { ...PRICE, cached: 15_000 });
    expect({ costMicros, inputTokens }).toEqual({ costMicros: 30 + 12 + 60, inputTokens: 1_000 });
    expect(usageOf(usage, PRICE).costMicros).toBe(150 + 60);
  });

  it("is nothing where the provider says nothing", () => {
    expect(usageOf(undefined, PRICE)).toEqual({ inputTokens: 0, outputTokens: 0, costMicros: 0 });
  });

  it("is estimated from the texts, and says so", () => {
    expect(estimatedUsage({ input: 4_001, output: 40 }, PRICE)).toEqual({
      inputTokens: 1_001,
      outputTokens: 10,
      costMicros: 157,
      estimated: true,
    });
  });

  it("is whole numbers that a column holds, whatever a provider claims", () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), fc.double(), (input, output, cached_tokens) => {
        const told = { prompt_tokens: input, completion_tokens: output };
        const prompt_tokens_details = { cached_tokens };
        const usage = usageOf({ ...told, prompt_tokens_details }, { ...PRICE, cached: 15_000 });
        for (const tokens of [usage.inputTokens, usage.outputTokens]) {
          expect(Number.isSafeInteger(tokens)).toBe(true);
          expect(tokens).toBeGreaterThanOrEqual(0);
          expect(tokens).toBeLessThan(2 ** 31);
        }
        expect(Number.isSafeInteger(usage.costMicros)).toBe(true);
        expect(usage.costMicros).toBeGreaterThanOrEqual(0);
        expect(usage.costMicros).toBeLessThanOrEqual(usageOf(told, PRICE).costMicros);
      }),
    );
  });
});
