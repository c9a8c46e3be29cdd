import fc from "fast-check";
import type { FastifyRequest } from "fastify";
import { expect, it } from "vitest";
import { byteRange, pageOrigin } from "./request-headers.ts";

const ask = (range: string, size: number, more: Record<string, string> = {}, method = "GET") =>
  byteRange({ method, headers: { range, ...more } }, '"tag"', size);

const size = fc.nat({ max: 12 });
const place = fc.nat({ max: 15 });

it("a range is the bytes that it names, as far as they are there", () => {
  fc.assert(
    fc.property(size, place, place, (bytes, one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      const all = Array.from({ length: bytes }, (_, index) => index);
      const got = (range: string): number[] => {
        const found = ask(range, bytes);
        if (found === "whole") throw new Error(`${range} was passed over`);
        return found === "unsatisfiable" ? [] : all.slice(found.first, found.last + 1);
      };
      expect(got(`bytes=${from}-${to}`)).toEqual(all.slice(from, to + 1));
      expect(got(`bytes=${from}-`)).toEqual(all.slice(from));
      expect(got(`Bytes= -${to} `)).toEqual(to === 0 ? [] : all.slice(-to));
    }),
  );
});

it("nothing but the bytes that are there is ever named", () => {
  const word = fc.constantFrom("bytes", "=", "-", ",", " ", "0", "5", "9".repeat(400), "é");
  const header = fc.oneof(
    fc.string(),
    fc.array(word).map((words) => words.join("")),
  );
  fc.assert(
    fc.property(header, size, (range, bytes) => {
      const found = ask(range, bytes);
      if (typeof found === "string") return;
      expect(found.first).toBeGreaterThanOrEqual(0);
      expect(found.last).toBeGreaterThanOrEqual(found.first);
      expect(found.last).toBeLessThan(bytes);
    }),
  );
});

it.each(["", "bytes=", "bytes=-", "bytes=5-2", "bytes=0-1,3-4", "bytes=a-b", "seconds=0-1"])(
  "the whole is sent for %j",
  (range) => expect(ask(range, 10)).toBe("whole"),
);

it.each(["bytes=10-", "bytes=10-20", "bytes=-0", `bytes=${"9".repeat(400)}-`])(
  "there is nothing at %s of ten bytes",
  (range) => expect(ask(range, 10)).toBe("unsatisfiable"),
);

it("a range of another file, or of a HEAD, is passed over", () => {
  expect(ask("bytes=0-1", 10, { "if-range": '"tag"' })).toEqual({ first: 0, last: 1 });
  expect(ask("bytes=0-1", 10, { "if-range": '"other"' })).toBe("whole");
  expect(ask("bytes=0-1", 10, {}, "HEAD")).toBe("whole");
});

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
