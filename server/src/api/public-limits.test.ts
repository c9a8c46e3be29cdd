import { systemClock } from "#platform";
import Fastify from "fastify";
import type { FastifyInstance } from "fastify";
import { expect, test } from "vitest";
import { createApiUnderTest } from "./api-under-test.ts";
import { limitPublicRoutes } from "./public-limits.ts";

/** Small, so that a test need not send hundreds of requests. */
const FACTOR = 0.01;

/** Every address that anybody may ask without a token, one for each route. */
const ADDRESSES: readonly Asked[] = [
  ["GET", "/sdk/v1/agents/agent_a"],
  ["GET", "/sdk/v1/agents/agent_a/eligibility"],
  ["POST", "/sdk/v1/agents/agent_a/eligibility"],
  ["GET", `/sdk/v1/agents/agent_a/files/${"0".repeat(64)}`],
  ["POST", "/sdk/v1/sessions"],
  ["POST", "/sdk/v1/events"],
  ["OPTIONS", "/sdk/v1/sessions"],
  ["GET", "/sdk/sdk.js"],
  ["GET", "/sdk/v0/sdk.js"],
  ["GET", "/sdk/sdk.d.ts"],
  ["GET", "/sdk/v0/sdk.d.ts"],
  ["GET", "/sdk/call.01234567.js"],
  ["GET", "/sdk/v0/call.01234567.js"],
  ["GET", "/sdk/0.1.0/sdk.js"],
  ["GET", "/preview/agent_a"],
  ["GET", "/openapi.json"],
  ["GET", "/nowhere"],
];

type Asked = readonly [method: "GET" | "POST" | "OPTIONS", url: string];

async function ask(app: FastifyInstance, [method, url]: Asked, ip = "203.0.113.7") {
  return app.inject({ method, url, headers: { "x-forwarded-for": ip } });
}

function limited(publicRateFactor = FACTOR): FastifyInstance {
  return createApiUnderTest({ publicRateFactor, trustedProxies: ["127.0.0.1"] });
}

test.each(ADDRESSES)(
  "%s %s is refused above its limit, and says when to come back",
  async (...asked: Asked) => {
    const app = limited();
    let last = await ask(app, asked);
    for (let sent = 1; sent < 20 && last.statusCode !== 429; sent++) last = await ask(app, asked);
    expect(last.statusCode).toBe(429);
    expect(Number(last.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(last.json()).toEqual({
      error: {
        code: "rate_limited",
        message: expect.stringMatching(/^Too many requests.*Wait \d+ s/),
      },
    });
    // Another visitor is not.
    expect((await ask(app, asked, "198.51.100.1")).statusCode).not.toBe(429);
  },
);

test("without the limits nothing is refused", async () => {
  const app = limited(0);
  for (const asked of ADDRESSES) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(app, asked)));
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toEqual([]);
  }
});

test("the addresses of one network count together", async () => {
  const app = limited();
  const statuses: number[] = [];
  for (let n = 0; n < 40; n++) {
    const ip = `2001:db8:1:${n.toString(16)}::1`;
    statuses.push((await ask(app, ["GET", "/openapi.json"], ip)).statusCode);
  }
  expect(statuses.slice(0, 8)).toEqual(Array(8).fill(200));
  expect(statuses.at(-1)).toBe(429);
});

test("every public route has a limit: a server with one that has none does not start", () => {
  const app = Fastify();
  limitPublicRoutes(app, { clock: systemClock, factor: 1 });
  app.get("/v1/anything", async () => "");
  expect(() => app.get("/new", async () => "")).toThrow("The route /new has no rate limit");
});
