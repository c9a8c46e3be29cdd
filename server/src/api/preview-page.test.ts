import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { createApiUnderTest } from "./api-under-test.ts";

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
