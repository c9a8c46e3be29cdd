import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "./parse-json.ts";

/** Keys that end in a backslash, and keys with an escape where that backslash stands. */
const key = fc.oneof(
  fc.constantFrom("\\", "\t", '"', "a\\", "a\n", "a\u0001", "a", "", "__proto__", "é\\", "é\b"),
  fc.string({ unit: "binary" }),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string(),
    fc.constantFrom(null, true, 0, -1.5e-7, '\\"', '":', "\\u0041"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc
      .array(fc.tuple(key, tie("value")), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries) as unknown),
  ),
}));

describe("JSON", () => {
  it("is read with the keys it has, whatever was read before", () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1), (given, space) => {
        const text = JSON.stringify(given, null, space);
        expect(JSON.stringify(parseJson(text), null, space)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it("keeps keys apart that V8 takes for one another", () => {
    parseJson('{"a":1,"\\\\":1}');
    JSON.parse('{"a":1,"\\\\":1}');
    expect(Object.keys(parseJson('{"a":1,"\\t":1}') as object)).toEqual(["a", "\t"]);
    expect(Object.keys(parseJson('{"a":1,"\\u0041" :1}') as object)).toEqual(["a", "A"]);
    expect(Object.keys(parseJson('[{"a":1,"\\\\\\"":{"a":2,"\\n":3}}]') as object[])).toEqual([
      "0",
    ]);
  });

  it("is refused where V8 refuses it", () => {
    for (const text of [
      "",
      "{",
      '{"\\x":1}',
      '{"a\\":1}',
      '{"\\t":}',
      '"\\',
      "\\",
      '{"\\u00":1}',
      '{"\n\\t":1}',
    ])
      expect(() => parseJson(text), text).toThrow(SyntaxError);
  });

  it("takes time in proportion to its length", () => {
    const many = `{"a":"${'\\"'.repeat(1_000_000)}","\\t":"${"\\\\".repeat(1_000_000)}"}`;
    const began = performance.now();
    expect(Object.keys(parseJson(many) as object)).toEqual(["a", "\t"]);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
