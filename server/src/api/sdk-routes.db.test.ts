import { createHash, randomUUID } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { addAgentVersion, plainConfig } from "#agents";
import { transact } from "#platform";
import { addCustomer, announceLive, end, sessionRow } from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { AgentFacts, Eligibility, SdkErrorBody, SessionStarted } from "@svc/contract/schemas";
import type { SessionStart } from "@svc/contract/types";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { describe, expect } from "vitest";
import { createApiUnderTest, sdkOver } from "./api-under-test.ts";

const NOTICE = "You talk with an AI.";

function body({ agent }: Customer, change: Partial<SessionStart> = {}): SessionStart {
  return {
    agent_id: agent.agentId,
    start_key: randomUUID(),
    mode: "text",
    language: "en",
    metadata: {},
    page: "https://www.example.com/pricing",
    notice: { text: NOTICE, language: "en", accepted_at: "2026-01-02T03:04:05.678+02:00" },
    ...change,
  };
}

async function open(
  { db }: TestDatabase,
  options: {
    agent?: NonNullable<Parameters<typeof addCustomer>[1]>["agent"];
    trusted?: string[];
  } = {},
): Promise<{ app: FastifyInstance; customer: Customer }> {
  await announceLive(db);
  const app = createApiUnderTest({ sdk: sdkOver(db), trustedProxies: options.trusted ?? [] });
  return { app, customer: await addCustomer(db, { agent: options.agent ?? {} }) };
}

async function start(
  app: FastifyInstance,
  payload: SessionStart | string,
  request: { headers?: Record<string, string>; remoteAddress?: string } = {},
): Promise<LightMyRequestResponse> {
  const headers = { "content-type": "application/json", ...request.headers };
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return app.inject({
    method: "POST",
    url: "/sdk/v1/sessions",
    ...request,
    headers,
    payload: text,
  });
}

const errorOf = (answer: LightMyRequestResponse) => SdkErrorBody.parse(answer.json()).error;

describe("GET /sdk/v1/agents/{agent}", () => {
  databaseTest("gives the facts, for some seconds", async ({ database }) => {
    const { app, customer } = await open(database, { agent: { name: "Linden" } });
    const answer = await app.inject(`/sdk/v1/agents/${customer.agent.agentId}`);
    expect(answer.headers["cache-control"]).toBe("public, max-age=5");
    expect(AgentFacts.parse(answer.json())).toMatchObject({
      agent_id: customer.agent.agentId,
      name: "Linden",
    });
  });

  databaseTest("packs the facts as small as a browser can unpack", async ({ database }) => {
    const { app, customer } = await open(database);
    const url = `/sdk/v1/agents/${customer.agent.agentId}`;
    const plain = await app.inject(url);
    expect(plain.headers["vary"]).toBe("accept-encoding");
    for (const [encoding, unpack] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const packed = await app.inject({ url, headers: { "accept-encoding": encoding } });
      expect(packed.headers).toMatchObject({
        "content-encoding": encoding,
        "content-type": "application/json; charset=utf-8",
        vary: "accept-encoding",
      });
      expect(packed.rawPayload.length).toBeLessThan(0.8 * plain.rawPayload.length);
      expect(unpack(packed.rawPayload).toString()).toBe(plain.body);
    }
  });

  // L12
  databaseTest("offers voice only while speech answers", async ({ database }) => {
    const { customer } = await open(database, { agent: { modes: ["voice", "text"] } });
    const modes = async (): Promise<unknown> => {
      // Each look with fresh eyes: what is there is remembered for a second.
      const app = createApiUnderTest({ sdk: sdkOver(database.db) });
      const answer = await app.inject(`/sdk/v1/agents/${customer.agent.agentId}`);
      return AgentFacts.parse(answer.json()).modes;
    };
    expect(await modes()).toEqual(["voice", "text"]);
    await database.pool.query("UPDATE live_processes SET speech_answers = false");
    expect(await modes()).toEqual(["text"]);
  });

  // A11
  databaseTest("answers alike for every agent that is not there", async ({ database }) => {
    const { app, customer } = await open(database);
    const { agentId } = customer.agent;
    const other = agentId.endsWith("a") ? `${agentId.slice(0, -1)}b` : `${agentId.slice(0, -1)}a`;
    const names = [
      other,
      customer.account.clientId,
      "agent_",
      "%00",
      "nobody",
      "agent_%F0%9F%98%80",
    ];
    const answers = await Promise.all(names.map((name) => app.inject(`/sdk/v1/agents/${name}`)));
    expect(new Set(answers.map(({ statusCode, body: text }) => `${statusCode} ${text}`)).size).toBe(
      1,
    );
    expect([answers[0]!.statusCode, errorOf(answers[0]!).code]).toEqual([404, "agent_unknown"]);
  });
});

describe("GET /sdk/v1/agents/{agent}/files/{sha256}", () => {
  databaseTest(
    "gives bytes that can do no harm and never change, all or a range",
    async ({ database }) => {
      const { app, customer } = await open(database);
      const files = (
        [
          ["logo.svg", "<svg><script>alert(1)</script></svg>", "image/svg+xml"],
          ["tour.md", "<script>alert(1)</script>", "text/markdown"],
          ["plans.csv", "a,b", "text/csv"],
        ] as const
      ).map(([path, text, mediaType]) => {
        const bytes = Buffer.from(text);
        const sha256 = createHash("sha256").update(bytes).digest("hex");
        return { path, sha256, size: bytes.length, mediaType, bytes };
      });
      const content = files.map((file, n) => {
        const { path, sha256, size, mediaType } = file;
        return {
          id: `c${n}`,
          title: "T",
          kind: "code" as const,
          file: { path, sha256, size, mediaType },
        };
      });
      const { account, agent } = customer;
      await transact(database.db, (trx) =>
        addAgentVersion(
          trx,
          "ada",
          account.id,
          agent.agentId,
          { ...plainConfig("A"), content },
          files,
        ),
      );
      const url = (sha256: string): string => `/sdk/v1/agents/${agent.agentId}/files/${sha256}`;
      const types: unknown[] = [];
      for (const { sha256, bytes } of files) {
        const answer = await app.inject(url(sha256));
        expect(answer.rawPayload).toEqual(bytes);
        expect(answer.headers).toMatchObject({
          "cache-control": "public, max-age=31536000, immutable",
          "content-security-policy":
            "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
          "x-content-type-options": "nosniff",
          "cross-origin-resource-policy": "cross-origin",
        });
        types.push(answer.headers["content-type"]);
      }
      const plain = "text/plain; charset=utf-8";
      expect(types).toEqual(["image/svg+xml", plain, plain]);

      const ranged = (range: string, more = {}) =>
        app.inject({ url: url(files[1]!.sha256), headers: { range, ...more } });
      const part = await ranged("bytes=1-6", { "if-range": `"${files[1]!.sha256}"` });
      expect([part.statusCode, part.body]).toEqual([206, "script"]);
      expect(part.headers).toMatchObject({
        "accept-ranges": "bytes",
        "content-length": "6",
        "content-range": "bytes 1-6/25",
        "cache-control": "public, max-age=31536000, immutable",
        etag: `"${files[1]!.sha256}"`,
      });
      const beyond = await ranged("bytes=25-");
      expect([beyond.statusCode, errorOf(beyond).code]).toEqual([416, "invalid_request"]);
      expect(beyond.headers["content-range"]).toBe("bytes */25");
      expect((await ranged("bytes=0-1,3-4")).rawPayload).toEqual(files[1]!.bytes);

      const missing = await app.inject(url("0".repeat(64)));
      expect([missing.statusCode, errorOf(missing).code]).toEqual([404, "not_found"]);
    },
  );
});

describe("GET /sdk/v1/agents/{agent}/eligibility", () => {
  databaseTest("says whether a page may start, and is never kept", async ({ database }) => {
    const { app, customer } = await open(database, {
      agent: { allowedOrigins: ["https://www.example.com"] },
    });
    const ask = async (headers: Record<string, string>, agent = customer.agent.agentId) => {
      const answer = await app.inject({ url: `/sdk/v1/agents/${agent}/eligibility`, headers });
      expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([200, "no-store"]);
      return Eligibility.parse(answer.json());
    };
    expect(await ask({ origin: "https://www.example.com" })).toEqual({
      allowed: true,
      reason: null,
    });
    expect(await ask({ referer: "https://www.example.com/pricing" })).toMatchObject({
      allowed: true,
    });
    const refused = { allowed: false, reason: "origin_not_allowed" };
    expect(await ask({})).toEqual(refused);
    expect(await ask({ origin: "null" })).toEqual(refused);
    expect(await ask({}, "agent_nobody")).toEqual({ allowed: false, reason: "agent_unknown" });
  });
});

describe("POST /sdk/v1/sessions", () => {
  databaseTest("starts a session and says where its socket is", async ({ database }) => {
    const { app, customer } = await open(database);
    const payload = body(customer, {
      metadata: { plan: "pro", seats: 12, email: "ada@example.com" },
    });
    const answer = await start(app, payload);
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([201, "no-store"]);
    const { session_id, ...rest } = SessionStarted.parse(answer.json());
    expect(rest).toEqual({
      ticket: expect.stringMatching(/^[\w-]{43}$/),
      live_url: "wss://live.example.com/sdk/v1/live",
    });
    // G3
    expect(await sessionRow(database, session_id)).toMatchObject({
      metadata: { plan: "pro", seats: "12", email: "ada@example.com" },
      email: "ada@example.com",
      notice_sha256: createHash("sha256").update(NOTICE).digest(),
      notice_at: new Date("2026-01-02T01:04:05.678Z"),
    });
  });

  // G3
  databaseTest(
    "keeps the hash of the notice that the server has, and its own time, whatever a page reports",
    async ({ database }) => {
      const { app, customer } = await open(database);
      const facts = (await app.inject(`/sdk/v1/agents/${customer.agent.agentId}`)).json();
      const [{ code, notice }] = facts.languages as [{ code: string; notice: string }];
      const served = createHash("sha256").update(notice).digest();
      const accepted_at = "1999-01-01T00:00:00Z";
      for (const text of [notice, `${notice} `]) {
        const given = { notice: { text, language: code, accepted_at } };
        const answer = await start(app, body(customer, { start_key: randomUUID(), ...given }));
        const row = await sessionRow(database, answer.json().session_id);
        expect(row).toMatchObject({ notice_served_sha256: served });
        expect(served.equals(row["notice_sha256"] as Buffer)).toBe(text === notice);
        expect(Math.abs((row["notice_received_at"] as Date).getTime() - Date.now())).toBeLessThan(
          60_000,
        );
      }
    },
  );

  // K1
  databaseTest("is the same session for the same key, until it has ended", async ({ database }) => {
    const { app, customer } = await open(database);
    const payload = body(customer);
    const [first, again] = [await start(app, payload), await start(app, payload)];
    expect([first.statusCode, again.statusCode]).toEqual([201, 200]);
    const { session_id: id, ticket } = SessionStarted.parse(again.json());
    expect(first.json()).toMatchObject({ session_id: id });
    expect(first.json()).not.toMatchObject({ ticket });
    const other = await start(app, { ...payload, metadata: { plan: "pro" } });
    expect([other.statusCode, errorOf(other).code]).toEqual([409, "conflict"]);
    await end(database.db, { id, createdAt: new Date() });
    const late = await start(app, payload);
    expect([late.statusCode, errorOf(late).code]).toEqual([409, "ended"]);
  });

  databaseTest("marks a test session as one, and says why", async ({ database }) => {
    const { app, customer } = await open(database, {
      agent: { testOrigins: ["http://localhost:3000"] },
    });
    const headers = { origin: "http://localhost:3000" };
    expect((await start(app, body(customer), { headers })).json()).toMatchObject({
      test: "test_origin",
    });
  });

  // S1, S2, S4
  databaseTest("takes any metadata within its caps as plain data", async ({ database }) => {
    const { app, customer } = await open(database);
    const text = JSON.stringify(body(customer)).replace(
      '"metadata":{}',
      String.raw`"metadata":{"__proto__":"p","constructor":"c","nul":"a\u0000b","lone":"\ud800","big":1e400,"deep":{"__proto__":{"x":[null]}},"twice":1,"twice":2}`,
    );
    const { session_id: id } = SessionStarted.parse((await start(app, text)).json());
    const { rows } = await database.pool.query<{ metadata: string }>(
      "SELECT metadata::text FROM sessions WHERE id = $1",
      [id],
    );
    expect(Object.entries(JSON.parse(rows[0]!.metadata) as object)).toEqual([
      ["__proto__", "p"],
      ["constructor", "c"],
      ["nul", "a\uFFFDb"],
      ["lone", "\uFFFD"],
      ["big", "null"],
      ["deep", '{"__proto__":{"x":[null]}}'],
      ["twice", "2"],
    ]);
  });

  // S3, S4
  databaseTest(
    "refuses metadata above its caps and what is not documented",
    async ({ database }) => {
      const { app, customer } = await open(database);
      const refused = async (payload: SessionStart | string): Promise<unknown> => {
        const answer = await start(app, payload);
        const { code, parameter } = errorOf(answer);
        return [answer.statusCode, code, ...(parameter === undefined ? [] : [parameter])];
      };
      const withMetadata = (metadata: Record<string, unknown>) =>
        refused(body(customer, { metadata }));
      const keys = Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, ""]));
      const large = [400, "metadata_too_large", "metadata"];
      expect(await withMetadata(keys)).toEqual(large);
      expect(await withMetadata({ a: "x".repeat(8_193) })).toEqual(large);
      expect(await withMetadata(mapped(5, "x".repeat(7_000)))).toEqual(large);
      const nested = (depth: number): string =>
        JSON.stringify(body(customer)).replace(
          '"metadata":{}',
          `"metadata":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`,
        );
      expect((await start(app, nested(32))).statusCode).toBe(201);
      expect(await refused(nested(33))).toEqual([400, "invalid_request"]);
      expect(await refused(nested(50_000))).toEqual([400, "invalid_request"]);
      const bad = (change: Record<string, unknown>) =>
        refused(JSON.stringify({ ...body(customer), ...change }));
      for (const [name, value] of Object.entries({
        agent_id: "\0",
        start_key: "x",
        mode: "mime",
        language: "english",
        metadata: [],
        page: 1,
        notice: { text: "", language: "en", accepted_at: "yesterday" },
        preview_token: "",
        extra: true,
      }))
        expect(await bad({ [name]: value })).toEqual([400, "invalid_request", name]);
      expect(await refused("{")).toEqual([400, "invalid_request"]);
    },
  );

  databaseTest("with a preview token that does not work starts nothing", async ({ database }) => {
    const { app, customer } = await open(database);
    const refused = await start(app, body(customer, { preview_token: "preview_aa" }));
    expect([refused.statusCode, errorOf(refused).code]).toEqual([403, "preview_invalid"]);
    const ask = (payload: string) =>
      app.inject({
        method: "POST",
        url: `/sdk/v1/agents/${customer.agent.agentId}/eligibility`,
        headers: { "content-type": "text/plain" },
        payload,
      });
    const asked = await ask('{"preview_token":"preview_aa"}');
    expect(asked.json()).toEqual({ allowed: false, reason: "preview_invalid" });
    expect((await ask("{}")).statusCode).toBe(400);
  });

  // A7
  databaseTest("says when to come back, where that helps", async ({ database }) => {
    const { app, customer } = await open(database, {
      agent: { limits: { maxMinutes: 20, dailyStarts: 1 } },
    });
    await start(app, body(customer));
    const capped = await start(app, body(customer));
    expect([capped.statusCode, errorOf(capped).code]).toEqual([429, "daily_cap"]);
    const waitSecs = Number(capped.headers["retry-after"]);
    expect(waitSecs > 0 && waitSecs <= 86_400).toBe(true);
    const unknown = await start(app, body(customer, { agent_id: "agent_nobody" }));
    expect([unknown.statusCode, errorOf(unknown).code]).toEqual([404, "agent_unknown"]);
    expect(unknown.headers["retry-after"]).toBeUndefined();
  });

  // A8
  databaseTest("believes a forwarded address only from a proxy it trusts", async ({ database }) => {
    const { customer, app } = await open(database);
    const addressOf = async (on: FastifyInstance, forwarded: string): Promise<string> => {
      const headers = { "x-forwarded-for": forwarded };
      const answer = await start(on, body(customer), { headers, remoteAddress: "127.0.0.1" });
      const { session_id: id } = SessionStarted.parse(answer.json());
      const { rows } = await database.pool.query<{ address: string }>(
        "SELECT address FROM visits WHERE session_id = $1",
        [id],
      );
      return rows[0]!.address;
    };
    expect(await addressOf(app, "203.0.113.7")).toBe("127.0.0.1");
    const trusting = createApiUnderTest({
      sdk: sdkOver(database.db),
      trustedProxies: ["127.0.0.1", "10.0.0.0/8"],
    });
    expect(await addressOf(trusting, "203.0.113.7")).toBe("203.0.113.7");
    expect(await addressOf(trusting, "198.51.100.1, 203.0.113.7, 10.1.2.3")).toBe("203.0.113.7");
    expect(await addressOf(trusting, "2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
    expect(await addressOf(trusting, "::ffff:203.0.113.7")).toBe("203.0.113.7");
    expect(await addressOf(trusting, "garbage")).toBe("unknown");
  });
});

describe("POST /sdk/v1/events", () => {
  // G3
  databaseTest("counts, and tells nobody which agents there are", async ({ database }) => {
    const { customer } = await open(database);
    const sdk = sdkOver(database.db);
    const app = createApiUnderTest({ sdk });
    for (const agent_id of [customer.agent.agentId, "agent_nobody"]) {
      const { statusCode, body: text } = await app.inject({
        method: "POST",
        url: "/sdk/v1/events",
        headers: { "content-type": "text/plain;charset=UTF-8", origin: "https://www.example.com" },
        // With a field of a later release, which a page may have loaded its SDK from.
        payload: JSON.stringify({ agent_id, event: "opened", path: "/pricing", later: 1 }),
      });
      expect([statusCode, text]).toEqual([204, ""]);
    }
    await sdk.funnel.write();
    const { rows } = await database.pool.query(
      "SELECT agent_id, event, origin, count FROM funnel_counts",
    );
    const counted = { event: "opened", origin: "https://www.example.com", count: "1" };
    expect(rows).toEqual([{ agent_id: customer.agent.agentId, ...counted }]);
    const { rows: pages } = await database.pool.query(
      "SELECT value, count FROM funnel_steps WHERE dimension = 'page'",
    );
    expect(pages).toEqual([{ value: "https://www.example.com/pricing", count: "1" }]);
    const { rows: kept } = await database.pool.query(
      "SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM visits) AS n",
    );
    expect(kept).toEqual([{ n: "0" }]);
  });
});

function mapped(count: number, value: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]));
}
