import { createFakeClock } from "#testing";
import type { FakeClock } from "#testing";
import { describe, expect, it, vi } from "vitest";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { ModelAway, ModelRefused } from "./model-errors.ts";

const answers = async (): Promise<string> => "answer";
const isAway = async (): Promise<string> => {
  throw new ModelAway("answered 503");
};

/** A breaker over a provider that failed so often. */
async function brokenAfter(
  failures: number,
  away = new ModelAway("answered 503"),
): Promise<{ breaker: CircuitBreaker; clock: FakeClock }> {
  const clock = createFakeClock();
  const breaker = new CircuitBreaker(clock);
  for (let i = 0; i < failures; i++) {
    await expect(breaker.guard(() => Promise.reject(away))).rejects.toBe(away);
  }
  return { breaker, clock };
}

describe("the breaker", () => {
  it("lets everybody ask while failures are rare", async () => {
    const { breaker } = await brokenAfter(2);
    expect(await breaker.guard(answers)).toBe("answer");
    await expect(breaker.guard(isAway)).rejects.toThrow("answered 503");
    await expect(breaker.guard(isAway)).rejects.toThrow("answered 503");
    expect(await breaker.guard(answers)).toBe("answer");
  });

  // L2
  it("asks nobody for five seconds after three failures in a row", async () => {
    const { breaker, clock } = await brokenAfter(3);
    const ask = vi.fn<typeof answers>(answers);
    await expect(breaker.guard(ask)).rejects.toBeInstanceOf(ModelAway);
    clock.advance(4_999);
    await expect(breaker.guard(ask)).rejects.toBeInstanceOf(ModelAway);
    expect(ask).not.toHaveBeenCalled();
    expect(breaker.isOpen()).toBe(true);
    clock.advance(1);
    expect(breaker.isOpen()).toBe(false);
    expect(await breaker.guard(ask)).toBe("answer");
  });

  it("then lets one through to see, and the others wait for what it finds", async () => {
    const { breaker, clock } = await brokenAfter(3);
    clock.advance(5_000);
    const probe = Promise.withResolvers<string>();
    const probing = breaker.guard(() => probe.promise);
    const ask = vi.fn<typeof answers>(answers);
    await expect(breaker.guard(ask)).rejects.toBeInstanceOf(ModelAway);
    expect(ask).not.toHaveBeenCalled();
    probe.resolve("back");
    expect(await probing).toBe("back");
    expect(await Promise.all([breaker.guard(ask), breaker.guard(ask)])).toHaveLength(2);
  });

  it("stays open when the one finds it away", async () => {
    const { breaker, clock } = await brokenAfter(3);
    clock.advance(5_000);
    await expect(breaker.guard(isAway)).rejects.toThrow("answered 503");
    clock.advance(4_999);
    await expect(breaker.guard(answers)).rejects.toBeInstanceOf(ModelAway);
    clock.advance(1);
    expect(await breaker.guard(answers)).toBe("answer");
  });

  // L1
  it("waits as long as the provider asks for", async () => {
    const { breaker, clock } = await brokenAfter(
      3,
      new ModelAway("answered 429", { retryAfterMs: 20_000 }),
    );
    clock.advance(19_999);
    await expect(breaker.guard(answers)).rejects.toBeInstanceOf(ModelAway);
    clock.advance(1);
    expect(await breaker.guard(answers)).toBe("answer");
  });

  it("takes a refusal for a sign of life", async () => {
    const { breaker } = await brokenAfter(2);
    const refused = new ModelRefused("the model refused");
    await expect(breaker.guard(() => Promise.reject(refused))).rejects.toBe(refused);
    await expect(breaker.guard(isAway)).rejects.toThrow("answered 503");
    expect(await breaker.guard(answers)).toBe("answer");
  });

  it("learns nothing from a request that was given up", async () => {
    const { breaker } = await brokenAfter(2);
    const givenUp = new Error("aborted");
    await expect(breaker.guard(() => Promise.reject(givenUp))).rejects.toBe(givenUp);
    await expect(breaker.guard(isAway)).rejects.toThrow("answered 503");
    await expect(breaker.guard(answers)).rejects.toBeInstanceOf(ModelAway);
  });
});
