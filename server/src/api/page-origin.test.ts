import fc from "fast-check";
import type { FastifyRequest } from "fastify";
import { expect, it } from "vitest";
import { pageOrigin } from "./page-origin.ts";

const read = (headers: Record<string, string>) => pageOrigin({ headers } as FastifyRequest);

// A6
it("a page's origin is told by Origin, else by Referer, else by nobody", () => {
  const referer = "https://b.example:8443/path?query#hash";
  expect(read({ origin: "https://a.example", referer })).toBe("https://a.example");
  expect(read({ origin: "https://A.example:443" })).toBe("https://a.example");
  expect(read({ referer })).toBe("https://b.example:8443");
  expect(read({ origin: "null", referer })).toBeNull();
  expect(read({})).toBeNull();
  for (const odd of ["", "file:///etc", "javascript:1", "https://*.a.example", "a.example"])
    expect(read({ origin: odd })).toBeNull();
  expect(read({ origin: `https://${"a".repeat(60)}.${"b".repeat(300)}.example` })).toBeNull();
});

it("a page's origin is short and plain whatever was sent", () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.string()), (referer) => {
      expect(read({ referer }) ?? "").toMatch(/^(?:https?:\/\/[^\s/?#@]{1,290})?$/);
    }),
  );
});
