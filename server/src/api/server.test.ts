import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import openapi from "@svc/contract/openapi.json" with { type: "json" };
import { captureLog } from "#testing";
import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { createApiUnderTest, emptyPage, GOOD } from "./api-under-test.ts";

describe("an address", () => {
  it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])(
    "is not there for %s",
    async (method) => {
      for (const url of ["/v1/sessions.json", "/v1/sessions.csv?limit=0", "/openapi.json"]) {
        const answer = await createApiUnderTest().inject({
          method: method as "POST",
          url,
          headers: { origin: "https://evil.example" },
          payload: "{broken",
        });
        expect(answer.statusCode).toBe(405);
        expect(answer.headers["allow"]).toBe("GET, HEAD");
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
        expect(answer.json()).toEqual({
          error: { code: "method_not_allowed", message: expect.any(String) },
        });
      }
    },
  );

  it.each([
    "/",
    "/v1",
    "/v1/sessions",
    "/v1/sessions.json/",
    "/V1/sessions.json",
    "/v1/sessions.xml",
    "/:a(",
    "/v1/:a(.*)",
    "/*",
    "//v1/sessions.json",
  ])("%s is nowhere", async (url) => {
    for (const method of ["GET", "POST"] as const) {
      const answer = await createApiUnderTest().inject({ method, url, headers: GOOD });
      expect(answer.statusCode).toBe(404);
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(answer.json()).toEqual({
        error: { code: "not_found", message: expect.stringContaining("/v1/sessions.json") },
      });
    }
  });

  it("is never answered with 500, whatever it is", async () => {
    const app = createApiUnderTest();
    const path = fc.array(
      fc.constantFrom(
        "/",
        "v1",
        ":",
        "(",
        ")",
        "*",
        "%",
        "%2e",
        "..",
        "?",
        "::",
        "{",
        "[",
        "a",
        ";",
        "%00",
        "\\",
      ),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(
        path,
        fc.constantFrom("GET", "HEAD", "POST", "OPTIONS"),
        async (parts, method) => {
          const { statusCode, body } = await app.inject({
            method: method as "GET",
            url: { pathname: `/${parts.join("")}` } as never,
            headers: GOOD,
          });
          expect([200, 400, 404, 405]).toContain(statusCode);
          const answered = statusCode === 200 || method === "HEAD";
          expect(answered || body.startsWith('{"error":{"code":"')).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("under /v1 belongs to the two exports alone: none issues credentials or registers receivers", async () => {
    const app = createApiUnderTest();
    await app.ready();
    const routes = app
      .printRoutes({ commonPrefix: false })
      .split("\n")
      .flatMap((line) => /(\/\S*) \((.+)\)/.exec(line)?.slice(1, 3).join(" ") ?? []);
    expect(routes.filter((route) => !route.startsWith("/sdk/")).toSorted()).toEqual([
      "/.well-known/security.txt GET, HEAD",
      // Below an agent's own address, whose parent stands on a line before.
      "/eligibility GET, HEAD, POST",
      "/files/:sha256 GET, HEAD",
      "/openapi.json GET, HEAD",
      "/preview/:agent GET, HEAD",
      "/v1/sessions.csv GET, HEAD",
      "/v1/sessions.json GET, HEAD",
      "/who-hears-you/:agent GET, HEAD",
    ]);
    expect(routes.filter((route) => route.endsWith("POST"))).toEqual([
      "/eligibility GET, HEAD, POST",
      "/sdk/v1/sessions POST",
      "/sdk/v1/events POST",
    ]);
  });

  it("of the contract is open to every site", async () => {
    const asked = "/.well-known/security.txt";
    expect((await createApiUnderTest().inject(asked)).statusCode).toBe(404);
    const securityContact = "mailto:security@example.com";
    const { body } = await createApiUnderTest({ securityContact }).inject(asked);
    expect(body).toMatch(
      /^Contact: mailto:security@example\.com\nExpires: 20\d\d-.*Z\nCanonical: /,
    );
    const answer = await createApiUnderTest().inject("/openapi.json");
    expect(answer.json()).toEqual(openapi);
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "access-control-allow-origin": "*",
    });
  });
});

describe("logs and metrics", () => {
  // S12
  it("hold no header, no query, no address and no value of an error", async () => {
    const captured = captureLog();
    const canary = "canary";
    const error = Object.assign(new Error(`Key (email)=(${canary})`), {
      severity: "ERROR",
      code: "23505",
      detail: canary,
    });
    const app = createApiUnderTest({
      log: captured.log,
      exporter: { page: () => Promise.reject(error) },
    });
    const headers = { ...GOOD, "user-agent": canary, cookie: canary, "x-forwarded-for": canary };
    const requests = [
      `/v1/sessions.json?fields=${canary}`,
      `/v1/sessions.json?since=${canary}`,
      `/${canary}`,
      `/${canary}%`,
    ];
    for (const url of requests) await app.inject({ url, headers, remoteAddress: "203.0.113.77" });
    await app.inject({ url: "/v1/sessions.json", headers: { authorization: `Bearer ${canary}` } });
    expect(
      captured
        .lines()
        .map((line) => line["status"])
        .filter(Boolean),
    ).toEqual([500, 400, 404, 401]);
    expect(captured.text()).toContain("request failed");
    expect(captured.text()).not.toContain(canary);
    expect(captured.text()).not.toContain("203.0.113.77");
    expect(captured.text()).not.toContain("good");
  });
});

describe("over a real socket", () => {
  let app: FastifyInstance;
  afterEach(() => app.close());

  async function listen(options: Parameters<typeof createApiUnderTest>[0] = {}): Promise<number> {
    app = createApiUnderTest(options);
    return Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
  }

  async function send(port: number, text: string): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString("latin1")));
    socket.on("error", () => {});
    socket.write(text);
    await once(socket, "close");
    return answer;
  }

  // S13
  it.each([
    ["nonsense", "\0\0\0\r\n\r\n", 400],
    [
      "a request with two lengths",
      "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
    ],
    [
      "a smuggled request",
      "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    // A3
    [
      "a header of 64 KB",
      `GET /v1/sessions.json HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${"a".repeat(65_536)}\r\n\r\n`,
      431,
    ],
    ["an unknown method", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 400],
  ])("%s is answered as an error, and the server lives on", async (_what, text, status) => {
    const port = await listen();
    const answer = await send(port, text);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const body: unknown = JSON.parse(answer.split("\r\n\r\n")[1]!);
    expect(body).toEqual({ error: { code: "invalid_request", message: expect.any(String) } });
    expect((await fetch(`http://127.0.0.1:${port}/openapi.json`)).status).toBe(200);
  });

  // A3
  it("two Authorization headers are none, and 15 KB of one is a 401", async () => {
    const port = await listen();
    const ask = (lines: string) =>
      send(
        port,
        `GET /v1/sessions.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines}\r\n\r\n`,
      );
    expect(await ask("Authorization: Bearer good")).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask("Authorization: Bearer good\r\nauthorization: Bearer good")).toMatch(
      /^HTTP\/1\.1 401 /,
    );
    expect(await ask(`Authorization: Bearer ${"a".repeat(15_000)}`)).toMatch(/^HTTP\/1\.1 401 /);
  });

  // S13
  it("a request that comes drop by drop is let go", async () => {
    await listen();
    expect(app.server.headersTimeout).toBe(10_000);
    expect(app.server.requestTimeout).toBe(30_000);
  });

  it("a request that has begun is finished while the server closes, and its connection is not kept", async () => {
    const [asked, made] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const page = async () => {
      asked.resolve();
      await made.promise;
      return emptyPage();
    };
    const port = await listen({ exporter: { page } });
    const answering = fetch(`http://127.0.0.1:${port}/v1/sessions.json`, { headers: GOOD });
    await asked.promise;
    const closed = app.close();
    await expect(fetch(`http://127.0.0.1:${port}/openapi.json`)).rejects.toThrow("fetch failed");
    made.resolve();
    const answer = await answering;
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
    expect(await answer.text()).toBe('{"items":[]}');
    await closed;
  });

  it("a page's memory is given back once it is sent", async () => {
    const released = Promise.withResolvers<void>();
    const port = await listen({
      exporter: { page: async () => ({ ...emptyPage(), release: released.resolve }) },
    });
    await (await fetch(`http://127.0.0.1:${port}/v1/sessions.json`, { headers: GOOD })).text();
    await released.promise;
  });

  it("a page's memory is given back when its reader left before it was made", async () => {
    const [asked, gone, released] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    const page = async () => {
      asked.resolve();
      await gone.promise;
      return { ...emptyPage(), release: released.resolve };
    };
    const port = await listen({ exporter: { page } });
    const closed = new Promise((resolve) =>
      app.server.once("connection", (socket) => socket.once("close", resolve)),
    );
    const client = httpRequest({ port, path: "/v1/sessions.json", headers: GOOD })
      .on("error", () => {})
      .end();
    await asked.promise;
    client.destroy();
    await closed;
    await new Promise((resolve) => setImmediate(resolve));
    gone.resolve();
    await released.promise;
  });
});
