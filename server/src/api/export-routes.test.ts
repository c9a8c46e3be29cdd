import { AppError } from "#platform";
import { createFakeClock } from "#testing";
import { describe, expect, it } from "vitest";
import { GOOD, createApiUnderTest, recordingExporter } from "./api-under-test.ts";
import { parseExportQuery } from "./export-query.ts";

const PATHS = ["/v1/sessions.json", "/v1/sessions.csv"] as const;
const LAST = { at: "2026-01-02T03:04:05.678Z", id: "019b7d4e-0000-7000-8000-000000000001" };

describe.each(PATHS)("%s without good credentials", (url) => {
  it.each([
    ["none", {}],
    ["a wrong token", { authorization: "Bearer wrong" }],
    ["wrong Basic", { authorization: "Basic Zm9vOmJhcg==" }],
    // A3
    ["two headers, one of them good", { authorization: ["Bearer good", "Bearer good"] }],
  ])("answers 401 to %s, and a browser asks for them", async (_what, headers) => {
    const answer = await createApiUnderTest().inject({
      url,
      headers: headers as Record<string, string>,
    });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers["www-authenticate"]).toEqual([
      'Basic realm="Svc", charset="UTF-8"',
      'Bearer realm="Svc"',
    ]);
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(answer.json()).toEqual({
      error: { code: "unauthorized", message: expect.stringContaining("Authorization") },
    });
  });

  it("checks them before the parameters, and reads nothing", async () => {
    const { asked, exporter } = recordingExporter();
    const answer = await createApiUnderTest({ exporter }).inject(`${url}?limit=0&since=x`);
    expect(answer.statusCode).toBe(401);
    expect(asked).toEqual([]);
  });
});

describe("a page", () => {
  it("is asked for as the query says, for the caller's account alone", async () => {
    const { asked, exporter } = recordingExporter();
    const app = createApiUnderTest({ exporter });
    await app.inject({
      url: "/v1/sessions.csv?since=1767225600&limit=500&fields=id&accountId=9&account_id=9",
      headers: GOOD,
    });
    expect(asked).toEqual([
      expect.objectContaining({
        accountId: 7,
        mode: "settled_prefix",
        format: "csv",
        limit: 100,
        fields: ["id"],
        after: { at: "2026-01-01T00:00:00.000Z", id: expect.any(String) },
      }),
    ]);
  });

  // A10
  it.each(PATHS)("of %s is never stored, sniffed, or read by another site", async (url) => {
    const { exporter } = recordingExporter({ held: 3 });
    const answer = await createApiUnderTest({ exporter }).inject({
      url,
      headers: { ...GOOD, origin: "https://evil.example" },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "svc-held": "3",
      "svc-complete-through": "2026-01-01T00:00:00.001Z",
    });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual(
      [],
    );
  });

  it("of JSON has its type and no attachment", async () => {
    const { headers, body } = await createApiUnderTest().inject({ url: PATHS[0], headers: GOOD });
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["content-disposition"]).toBeUndefined();
    expect(body).toBe('{"items":[]}');
  });

  it("of CSV is an attachment with its own type", async () => {
    const { headers } = await createApiUnderTest().inject({ url: PATHS[1], headers: GOOD });
    expect(headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": 'attachment; filename="sessions.csv"',
    });
  });

  it("of CSV begins with a byte order mark only when a browser opens it, and caches are told", async () => {
    const { exporter } = recordingExporter({ body: Buffer.from("id\r\n") });
    const app = createApiUnderTest({ exporter });
    const bytes = async (url: string, dest?: string) => {
      const answer = await app.inject({
        url,
        headers: { ...GOOD, ...(dest !== undefined && { "sec-fetch-dest": dest }) },
      });
      return {
        vary: answer.headers.vary,
        body: answer.rawPayload.toString("latin1"),
        length: answer.headers["content-length"],
      };
    };
    expect(await bytes(PATHS[1])).toEqual({ vary: "Sec-Fetch-Dest", body: "id\r\n", length: "4" });
    expect(await bytes(PATHS[1], "empty")).toEqual({
      vary: "Sec-Fetch-Dest",
      body: "id\r\n",
      length: "4",
    });
    expect(await bytes(PATHS[1], "document")).toEqual({
      vary: "Sec-Fetch-Dest",
      body: "\u00EF\u00BB\u00BFid\r\n",
      length: "7",
    });
    expect((await bytes(PATHS[0], "document")).body).toBe("id\r\n");
  });

  it.each(PATHS)("of %s has a head without a body", async (url) => {
    const app = createApiUnderTest(recordingExporter({ last: LAST }));
    const [get, head] = [
      await app.inject({ url, headers: GOOD }),
      await app.inject({ method: "HEAD", url, headers: GOOD }),
    ];
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe("");
    expect({ ...head.headers, date: "" }).toEqual({ ...get.headers, date: "" });
  });

  it.each([
    ["limit=0", "limit"],
    ["since=abc", "since"],
    ["since=1&since=2", "since"],
    ["cursor=zzz", "cursor"],
  ])("asked for with %s is refused with the parameter's name", async (query, parameter) => {
    for (const path of PATHS) {
      const answer = await createApiUnderTest().inject({ url: `${path}?${query}`, headers: GOOD });
      expect(answer.statusCode).toBe(400);
      expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(answer.json()).toEqual({
        error: {
          code: "invalid_parameter",
          message: expect.stringContaining(parameter),
          parameter,
        },
      });
    }
  });
});

describe("the Link to the next page", () => {
  async function link(
    search: string,
    path: (typeof PATHS)[number] = PATHS[0],
  ): Promise<string | undefined> {
    const { exporter } = recordingExporter({ last: LAST });
    const { headers } = await createApiUnderTest({ exporter }).inject({
      url: path + search,
      headers: { ...GOOD, host: "evil.example" },
    });
    return headers.link as string | undefined;
  }
  const target = async (search: string): Promise<URL> =>
    new URL(/^<(.+)>; rel="next"$/.exec((await link(search))!)![1]!);

  it("is absent when the page is empty", async () => {
    const { headers } = await createApiUnderTest().inject({ url: PATHS[0], headers: GOOD });
    expect(headers.link).toBeUndefined();
  });

  it.each(PATHS)("leads to the same address %s on the configured host", async (path) => {
    expect(await link("", path)).toMatch(
      new RegExp(
        `^<https://api\\.example\\.com${path.replaceAll(".", "\\.")}\\?cursor=[^&>]+>; rel="next"$`,
      ),
    );
  });

  it("begins behind the last session, keeps limit and fields, and drops since", async () => {
    const { searchParams } = await target("?since=5&limit=2&fields=id,status&fields=email&utm=1");
    expect([...searchParams.keys()].toSorted()).toEqual(["cursor", "fields", "limit"]);
    expect(parseExportQuery(searchParams.toString())).toEqual({
      ok: true,
      after: LAST,
      limit: 2,
      fields: ["id", "status", "email"],
    });
  });

  it.each(["?fields=", "?fields=foo", "?fields=,", "?fields=&fields=", ""])(
    "selects with %s what this page selected",
    async (search) => {
      const before = parseExportQuery(search.slice(1));
      expect(parseExportQuery((await target(search)).search.slice(1))).toMatchObject({
        ok: true,
        fields: before.ok && before.fields,
      });
    },
  );

  it("stays short, however long the query is", async () => {
    const search = `?limit=${"0".repeat(4_000)}5&fields=${"💥".repeat(500)}${",".repeat(2_000)}id`;
    const next = (await link(search))!;
    expect(next.length).toBeLessThan(400);
    expect(parseExportQuery(next.slice(next.indexOf("?") + 1, next.indexOf(">")))).toMatchObject({
      limit: 5,
      fields: ["id"],
    });
  });
});

describe("when the sessions cannot be read", () => {
  const failing = (error: Error) => {
    const page = async () => {
      throw error;
    };
    return createApiUnderTest({ exporter: { page } });
  };

  it("answers 503 with the time to try again", async () => {
    const words = { what: "No page.", why: "The database is away.", fix: "Try again." };
    const answer = await failing(new AppError("unavailable", words)).inject({
      url: PATHS[0],
      headers: GOOD,
    });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("1");
    expect(answer.json()).toEqual({
      error: { code: "unavailable", message: expect.stringContaining("Try again.") },
    });
  });

  it("answers 503 too when it cannot be told who asks", async () => {
    const words = { what: "No.", why: "Away.", fix: "Later." };
    const authenticator = {
      authenticate: () => Promise.reject(new AppError("unavailable", words)),
    };
    const answer = await createApiUnderTest({ authenticator }).inject({
      url: PATHS[0],
      headers: GOOD,
    });
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "1"]);
  });

  it("tells nothing of a defect of ours", async () => {
    const answer = await failing(new Error("canary in the code")).inject({
      url: PATHS[0],
      headers: GOOD,
    });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      error: { code: "internal_error", message: expect.not.stringContaining("canary") },
    });
  });
});

const SESSIONS = "/v1/sessions.json";

describe("the rate limit", () => {
  it("answers 429 with the seconds to wait, per token, and lets go on after them", async () => {
    const clock = createFakeClock();
    const app = createApiUnderTest({ clock, ratePerSecond: 0.5, rateBurst: 2 });
    const ask = (token: string) =>
      app.inject({ url: SESSIONS, headers: { authorization: `Bearer ${token}` } });
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
      app.inject({ url: SESSIONS, remoteAddress, headers: { authorization: "Bearer wrong" } });
    const first = await guess("203.0.113.1");
    for (let i = 1; i < 100; i++) await guess("203.0.113.1");
    const startedAt = performance.now();
    const delayed = guess("203.0.113.1").then((answer) => ({
      answer,
      ms: performance.now() - startedAt,
    }));
    expect(
      (await app.inject({ url: SESSIONS, remoteAddress: "203.0.113.1", headers: GOOD })).statusCode,
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
            url: SESSIONS,
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
