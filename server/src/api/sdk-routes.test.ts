import { readFileSync } from "node:fs";
import * as schemas from "@svc/contract/schemas";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { GOOD, createApiUnderTest } from "./api-under-test.ts";

const PAGE = { origin: "https://www.example.com" };
const AGENT = "/sdk/v1/agents/agent_aa";

describe("the addresses for browsers", () => {
  it("are open to every page, without credentials, their errors too", async () => {
    const app = createApiUnderTest();
    for (const url of [AGENT, `${AGENT}/eligibility`, "/sdk/v1/sessions", "/sdk/v1/nothing"]) {
      const { headers } = await app.inject({ url, headers: PAGE });
      expect(headers).toMatchObject({
        "access-control-allow-origin": "*",
        "timing-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
        "x-content-type-options": "nosniff",
      });
      expect(headers["access-control-allow-credentials"]).toBeUndefined();
    }
  });

  it("answer a preflight, for a day", async () => {
    for (const url of ["/sdk/v1/sessions", AGENT]) {
      const answer = await createApiUnderTest().inject({ method: "OPTIONS", url, headers: PAGE });
      expect(answer.statusCode).toBe(204);
      expect(answer.headers).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, POST",
        "access-control-allow-headers": "content-type",
        "access-control-max-age": "86400",
      });
    }
  });

  // A10
  it("are the only ones: the export stays shut to pages", async () => {
    const app = createApiUnderTest();
    for (const method of ["GET", "OPTIONS", "POST"] as const) {
      for (const url of ["/v1/sessions.json", "/v1/sessions.csv", "/sdk", "/v1/sdk/"]) {
        const { headers } = await app.inject({ method, url, headers: { ...PAGE, ...GOOD } });
        const names = Object.keys(headers).filter((name) => name.startsWith("access-control-"));
        expect(names).toEqual([]);
      }
    }
  });

  it("say which method they take", async () => {
    const answer = await createApiUnderTest().inject("/sdk/v1/sessions");
    expect([answer.statusCode, answer.headers["allow"]]).toEqual([405, "POST"]);
    expect(answer.json()).toMatchObject({ error: { code: "method_not_allowed" } });
  });

  // V9
  it("say that the service is away when the database is", async () => {
    const app = createApiUnderTest();
    for (const url of [AGENT, `${AGENT}/eligibility`, `${AGENT}/files/${"a".repeat(64)}`]) {
      const answer = await app.inject(url);
      expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "5"]);
      expect(answer.json()).toMatchObject({ error: { code: "service_unavailable" } });
    }
  });

  it("take JSON and text, as much as they say", async () => {
    const app = createApiUnderTest();
    const send = async (url: string, type: string, payload: string): Promise<unknown> => {
      const headers = { "content-type": type };
      const answer = await app.inject({ method: "POST", url, headers, payload });
      return [
        answer.statusCode,
        answer.body && answer.json<{ error: { code: string } }>().error.code,
      ];
    };
    const beacon = '{"agent_id":"agent_aa","event":"opened"}';
    expect(await send("/sdk/v1/events", "text/plain;charset=UTF-8", beacon)).toEqual([204, ""]);
    expect(await send("/sdk/v1/events", "application/json", beacon)).toEqual([204, ""]);
    for (const [url, type, payload, status] of [
      ["/sdk/v1/events", "text/plain", "", 400],
      ["/sdk/v1/events", "text/plain", '{"agent_id":"agent_aa","event":"bought"}', 400],
      ["/sdk/v1/events", "text/plain", '{"agent_id":"a b","event":"opened"}', 400],
      ["/sdk/v1/events", "text/plain", `${beacon}${" ".repeat(1_024)}`, 413],
      ["/sdk/v1/events", "text/html", beacon, 415],
      ["/sdk/v1/sessions", "application/json", "{}", 400],
      ["/sdk/v1/sessions", "application/json", " ".repeat(131_073), 413],
    ] as const)
      expect(await send(url, type, payload)).toEqual([status, "invalid_request"]);
  });
});

const page = readFileSync(new URL("../../../docs/reference/sdk-http.md", import.meta.url), "utf8");
const samples = [...page.matchAll(/^```json (\w+)\n(.*?)^```$/gms)].map(
  ([, name, text]) => [name!, text!] as const,
);

describe("the page about the SDK's HTTP", () => {
  it("shows every shape once at least", () => {
    expect(new Set(samples.map(([name]) => name))).toEqual(
      new Set([
        "SdkErrorBody",
        "AgentFacts",
        "Eligibility",
        "EligibilityQuestion",
        "SessionStart",
        "SessionStarted",
        "FunnelBeacon",
      ]),
    );
  });

  it.each(samples)("shows a %s as it is", (name, text) => {
    const schema = (schemas as Record<string, unknown>)[name];
    expect(schema).toBeInstanceOf(z.ZodType);
    (schema as z.ZodType).parse(JSON.parse(text));
  });

  it("lists every code of an error and every event", () => {
    const enumOf = (schema: z.ZodType, key: string): string[] => {
      const { properties = {} } = z.toJSONSchema(schema);
      return z.object({ enum: z.array(z.string()) }).parse(properties[key]).enum;
    };
    for (const code of enumOf(schemas.SdkErrorDetail, "code"))
      expect(page).toContain(`| \`${code}\` |`);
    for (const event of enumOf(schemas.FunnelBeacon, "event"))
      expect(page).toContain(`\`${event}\``);
  });
});
