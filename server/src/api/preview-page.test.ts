import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { createApiUnderTest, nowhere, sdkOver } from "./api-under-test.ts";

it("a preview page runs nothing but its own scripts and the SDK, and nobody keeps it", async () => {
  const app = createApiUnderTest();
  const { statusCode, headers, body } = await app.inject("/preview/agent_aa");
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    "cache-control": "no-store",
    "content-type": "text/html; charset=utf-8",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
  });
  const policy = String(headers["content-security-policy"]);
  const inline = [...body.matchAll(/<(?:script|style)>([^<]*)</g)].map(([, text]) => text!);
  expect(inline).toHaveLength(3);
  for (const text of inline)
    expect(policy).toContain(createHash("sha256").update(text).digest("base64"));
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  expect([...body.matchAll(/src="([^"]*)"/g)].map(([, src]) => src)).toEqual(["/sdk/sdk.js"]);
  await app.close();
});

it("a preview page may reach the LiveKit server that carries the sound of calls", async () => {
  const sdk = { ...sdkOver(nowhere), livekitUrl: "wss://livekit.example.com" };
  const app = createApiUnderTest({ sdk });
  const { headers } = await app.inject("/preview/agent_aa");
  expect(headers["content-security-policy"]).toContain(" wss://livekit.example.com;");
  await app.close();
});
