import { createFakeClock } from "#testing";
import type { FakeClock } from "#testing";
import { describe, expect, it, vi } from "vitest";
import { AccountBreakers, CircuitBreaker } from "./circuit-breaker.ts";
import { ModelAway, ModelBusy, ModelRefused } from "./model-errors.ts";

const answers = async (): Promise<string> => "answer";
const isAway = async (): Promise<string> => {
  throw new ModelAway("answered 503");
};

const isBusy = async (): Promise<string> => {
  throw new ModelBusy("answered 429");
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

  it("stays open as long as a provider that is away asks for", async () => {
    const { breaker, clock } = await brokenAfter(
      3,
      new ModelAway("answered 503", { retryAfterMs: 20_000 }),
    );
    clock.advance(19_999);
    await expect(breaker.guard(answers)).rejects.toBeInstanceOf(ModelAway);
    clock.advance(1);
    expect(await breaker.guard(answers)).toBe("answer");
  });

  // L1
  it("pauses as long as a busy provider asks for, and never opens", async () => {
    const { breaker, clock } = await brokenAfter(2);
    for (let i = 0; i < 10; i++) {
      const busy = new ModelBusy("answered 429", { retryAfterMs: 1_000 });
      await expect(breaker.guard(() => Promise.reject(busy))).rejects.toBe(busy);
      const early = { message: "was busy a moment ago", retryAfterMs: 1_000, isUnbilled: true };
      await expect(breaker.guard(answers)).rejects.toMatchObject(early);
      clock.advance(1_000);
      expect(breaker.isOpen()).toBe(false);
    }
    expect(await breaker.guard(answers)).toBe("answer");
  });

  it("pauses longer each time where the busy provider does not say how long", async () => {
    const { breaker, clock } = await brokenAfter(0);
    const pauses: number[] = [];
    for (let i = 0; i < 6; i++) {
      await expect(breaker.guard(isBusy)).rejects.toThrow("answered 429");
      pauses.push(breaker.busyForMs);
      clock.advance(breaker.busyForMs);
    }
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    await breaker.guard(answers);
    await expect(breaker.guard(isBusy)).rejects.toThrow("answered 429");
    expect(breaker.busyForMs).toBe(500);
  });

  it("pauses once for requests that a busy provider refuses together", async () => {
    const { breaker, clock } = await brokenAfter(0);
    await Promise.allSettled(Array.from({ length: 4 }, () => breaker.guard(isBusy)));
    expect(breaker.busyForMs).toBe(500);
    clock.advance(500);
    await expect(breaker.guard(isBusy)).rejects.toThrow("answered 429");
    expect(breaker.busyForMs).toBe(1_000);
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

describe("the breakers of accounts", () => {
  async function fail(breakers: AccountBreakers, account: number): Promise<void> {
    for (let i = 0; i < 3; i++)
      await expect(breakers.guard(account, isAway)).rejects.toThrow("answered 503");
  }

  it("stop one account and not another", async () => {
    const breakers = new AccountBreakers(createFakeClock());
    expect(await breakers.guard(2, answers)).toBe("answer");
    await fail(breakers, 1);
    await expect(breakers.guard(1, answers)).rejects.toThrow("was away a moment ago");
    expect(breakers.forAccount(1).isOpen()).toBe(true);
    expect(await breakers.forAccount(2).guard(answers)).toBe("answer");
    expect(breakers.isOpen()).toBe(false);
  });

  it("pause one account and not another", async () => {
    const breakers = new AccountBreakers(createFakeClock());
    await expect(breakers.guard(1, isBusy)).rejects.toThrow("answered 429");
    await expect(breakers.guard(1, answers)).rejects.toThrow("was busy a moment ago");
    expect(await breakers.guard(2, answers)).toBe("answer");
  });

  it("take the provider for away when the only account gets no answer", async () => {
    const breakers = new AccountBreakers(createFakeClock());
    await fail(breakers, 1);
    expect(breakers.isOpen()).toBe(true);
  });

  it("take the provider for away when two get none, until anybody does", async () => {
    const clock = createFakeClock();
    const breakers = new AccountBreakers(clock);
    for (const account of [1, 2, 3]) await breakers.guard(account, answers);
    clock.advance(1);
    await fail(breakers, 1);
    expect(breakers.isOpen()).toBe(false);
    await fail(breakers, 2);
    expect(breakers.isOpen()).toBe(true);
    clock.advance(1);
    await breakers.guard(3, answers);
    expect(breakers.isOpen()).toBe(false);
  });

  it("forget the account that asked longest ago when there are too many", async () => {
    const breakers = new AccountBreakers(createFakeClock());
    const first = breakers.of(0);
    for (let account = 1; account < 1_000; account++) breakers.of(account);
    expect(breakers.of(0)).toBe(first);
    breakers.of(1_000);
    expect(breakers.of(0)).toBe(first);
    for (let account = 2_000; account < 3_000; account++) breakers.of(account);
    expect(breakers.of(0)).not.toBe(first);
  });
});
