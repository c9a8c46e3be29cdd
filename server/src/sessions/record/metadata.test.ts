import { METADATA_LIMITS } from "@svc/contract/limits";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeMetadata } from "./metadata.ts";

/** JSON text keeps `__proto__` as a key, an object literal would not. */
const parse = (json: string): Record<string, unknown> =>
  JSON.parse(json) as Record<string, unknown>;
const bytes = (length: number): string => "x".repeat(length);

describe("metadata", () => {
  // S1
  it("keeps every string as it is, the empty one included, less NUL and lone surrogates", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: "binary", maxLength: 20 }), fc.string({ unit: "binary" }), {
          maxKeys: 20,
        }),
        (given) => {
          const expected = Object.entries(given).map(([key, value]) => [
            cleaned(key),
            cleaned(value),
          ]);
          expect(normalizeMetadata(given)).toEqual(Object.fromEntries(expected));
        },
      ),
    );
  });

  // S1
  it.each([
    ["a NUL", "a\0b", "a\uFFFDb"],
    ["a lone surrogate", "\uD800x\uDC00", "\uFFFDx\uFFFD"],
    [
      "the other direction, joiners, marks, non-characters",
      "\u202E\u200D\uFEFF\uFFFF",
      "\u202E\u200D\uFEFF\uFFFF",
    ],
    ["a pair of surrogates", "👩‍👧", "👩‍👧"],
  ])("treats %s as documented, in keys and in values", (_what, given, stored) => {
    expect(normalizeMetadata({ [given]: given })).toEqual({ [stored]: stored });
  });

  it("encodes every other value as JSON, once", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        fc.pre(typeof value !== "string");
        const { key } = normalizeMetadata({ key: value });
        expect(key).toBe(cleaned(JSON.stringify(value)));
      }),
    );
  });

  // S4
  it.each([
    ["null", null, "null"],
    ["false", false, "false"],
    ["zero", 0, "0"],
    ["a number beyond numbers", Number("1e400"), "null"],
    ["NaN", Number.NaN, "null"],
    ["a date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ["a list", [1, "a", null], '[1,"a",null]'],
    ["an object", { a: { b: 1 } }, '{"a":{"b":1}}'],
    ["nothing in an object", { a: undefined }, "{}"],
  ])("writes %s as a string", (_what, value, stored) => {
    expect(normalizeMetadata({ key: value })).toEqual({ key: stored });
  });

  it("leaves out undefined, functions and symbols", () => {
    const given = { a: undefined, b: () => 1, c: Symbol("c"), d: "kept" };
    expect(normalizeMetadata(given)).toEqual({ d: "kept" });
  });

  // S2
  it("keeps __proto__, constructor and toString as plain data", () => {
    const given = parse(
      '{"__proto__":{"polluted":true},"constructor":"a","toString":"b","hasOwnProperty":"c"}',
    );
    const stored = normalizeMetadata(given);
    expect(JSON.stringify(stored)).toBe(
      '{"__proto__":"{\\"polluted\\":true}","constructor":"a","toString":"b","hasOwnProperty":"c"}',
    );
    expect(Object.getPrototypeOf(stored)).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("metadata that is too large", () => {
  const refused = (metadata: Record<string, unknown>): boolean => {
    try {
      normalizeMetadata(metadata);
      return false;
    } catch (error) {
      expect(error).toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("metadata"),
      });
      return true;
    }
  };
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, "v"]));
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

  // S4
  it("is refused above 64 keys, not at 64", () => {
    expect(refused(keys(64))).toBe(false);
    expect(refused(keys(65))).toBe(true);
    expect(refused({ ...keys(64), dropped: undefined })).toBe(false);
    expect(refused(keys(10_000))).toBe(true);
  });

  // S4
  it("is refused above 8,192 bytes a value, not at 8,192, counted as stored", () => {
    expect(refused({ key: bytes(8_192) })).toBe(false);
    expect(refused({ key: bytes(8_193) })).toBe(true);
    expect(refused({ key: "é".repeat(4_096) })).toBe(false);
    expect(refused({ key: "é".repeat(4_097) })).toBe(true);
    expect(refused({ key: [bytes(8_188)] })).toBe(false);
    expect(refused({ key: [bytes(8_189)] })).toBe(true);
    // One byte of NUL becomes three.
    expect(refused({ key: "\0".repeat(2_731) })).toBe(true);
    expect(refused({ key: bytes(1_048_576) })).toBe(true);
  });

  // S4
  it("is refused above 32,768 bytes in all, keys included, not at 32,768, counted as stored", () => {
    const four = { aa: bytes(8_190), bb: bytes(8_190), cc: bytes(8_190) };
    expect(refused({ ...four, dd: bytes(8_190) })).toBe(false);
    expect(refused({ ...four, dd: bytes(8_191) })).toBe(true);
    expect(refused({ ...four, ddd: bytes(8_190) })).toBe(true);
    expect(refused({ ["\0".repeat(10_923)]: "" })).toBe(true);
  });

  // S3
  it("is refused when nested deeper than 32 levels, however deep", () => {
    expect(refused({ key: nested(METADATA_LIMITS.depth) })).toBe(false);
    expect(refused({ key: nested(METADATA_LIMITS.depth + 1) })).toBe(true);
    expect(refused(parse(`{"key":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`))).toBe(true);
  });

  // S4
  it("is refused when a value holds itself", () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    expect(refused({ cycle })).toBe(true);
  });

  it("says which key is at fault, shortened", () => {
    expect(() => normalizeMetadata({ notes: bytes(8_193) })).toThrow(/"notes" takes 8193 bytes/);
    expect(() => normalizeMetadata({ [bytes(500)]: bytes(8_193) })).toThrow(/^.{0,200}$/s);
  });
});

/** The documented rule, written another way. */
function cleaned(text: string): string {
  return Array.from(text)
    .map((char) => (/^[\0\uD800-\uDFFF]$/.test(char) ? "\uFFFD" : char))
    .join("");
}
