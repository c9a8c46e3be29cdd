import { createFakeClock } from "#testing";
import { describe, expect, it } from "vitest";
import { createApiUnderTest, GOOD } from "./api-under-test.ts";

const URL = "/v1/sessions.json";

describe("the rate limit", () => {
  it("answers 429 with the seconds to wait, per token, and lets go on after them", async () => {
    const clock = createFakeClock();
    const app = createApiUnderTest({ clock, ratePerSecond: 0.5, rateBurst: 2 });
    const ask = (token: string) =>
      app.inject({ url: URL, headers: { authorization: `Bearer ${token}` } });
    expect([(await ask("good")).statusCode, (await ask("good")).statusCode]).toEqual([200, 200]);
    const limited = await ask("good");
    expect(limited.statusCode).toBe(429);
    expect(limited.headers["retry-after"]).toBe("2");
    expect(limited.json()).toEqual({
      error: { code: "rate_limited", message: expect.stringContaining("2 s") },
    });
    expect((await ask("other")).statusCode).toBe(200);
    clock.advance(2_000);
    expect((await ask("good")).statusCode).toBe(200);
  });

  // A9
  it("delays who guesses fast, changes no 401, and never holds up who knows a token", async () => {
    const app = createApiUnderTest({ clock: createFakeClock() });
    const guess = (remoteAddress: string) =>
      app.inject({ url: URL, remoteAddress, headers: { authorization: "Bearer wrong" } });
    const first = await guess("203.0.113.1");
    for (let i = 1; i < 100; i++) await guess("203.0.113.1");
    const startedAt = performance.now();
    const delayed = guess("203.0.113.1").then((answer) => ({
      answer,
      ms: performance.now() - startedAt,
    }));
    expect(
      (await app.inject({ url: URL, remoteAddress: "203.0.113.1", headers: GOOD })).statusCode,
    ).toBe(200);
    expect((await guess("203.0.113.2")).statusCode).toBe(401);
    expect(performance.now() - startedAt).toBeLessThan(900);
    const { answer, ms } = await delayed;
    expect(ms).toBeGreaterThan(950);
    expect([answer.statusCode, answer.body]).toEqual([401, first.body]);
  });

  // A8
  it("counts a forwarded address only behind a trusted proxy", async () => {
    const slowestMs = async (trustedProxies: string[]) => {
      const app = createApiUnderTest({ clock: createFakeClock(), trustedProxies });
      const startedAt = performance.now();
      await Promise.all(
        Array.from({ length: 101 }, (_, n) =>
          app.inject({
            url: URL,
            remoteAddress: "10.0.0.1",
            headers: { "x-forwarded-for": `198.51.100.${n}` },
          }),
        ),
      );
      return performance.now() - startedAt;
    };
    expect(await slowestMs([])).toBeGreaterThan(950);
    expect(await slowestMs(["10.0.0.0/8"])).toBeLessThan(900);
  });
});
