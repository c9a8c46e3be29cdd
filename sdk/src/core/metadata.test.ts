import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeMetadata } from "./metadata.ts";

test("strings stay as they are, the rest is encoded once, undefined and functions are left out", () => {
  const given = {
    plan: "pro",
    empty: "",
    seats: 5,
    trial: false,
    none: null,
    tags: ["a", "b"],
    missing: undefined,
    action: () => 1,
  };
  expect({ ...encodeMetadata(given) }).toEqual({
    plan: "pro",
    empty: "",
    seats: "5",
    trial: "false",
    none: "null",
    tags: '["a","b"]',
  });
});

test("later sources win", () => {
  expect({ ...encodeMetadata({ a: "1", b: "1" }, undefined, { b: "2" }) }).toEqual({
    a: "1",
    b: "2",
  });
});

test("keys such as __proto__ are plain data", () => {
  const encoded = encodeMetadata(JSON.parse('{"__proto__":"x","constructor":"y"}') as object)!;
  expect(Object.entries(encoded)).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
  expect(JSON.stringify(encoded)).toBe('{"__proto__":"x","constructor":"y"}');
});

// S4
test("more than is stored, or what cannot be encoded, is refused and never cut", () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const sixtyFive = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`k${i}`, ""]));
  const five = Object.fromEntries(
    Array.from({ length: 5 }, (_, i) => [`k${i}`, "x".repeat(8_000)]),
  );
  for (const refused of [{ cycle }, { big: 1n }, sixtyFive, five, { a: "é".repeat(4_097) }]) {
    expect(encodeMetadata(refused)).toBeUndefined();
  }
  expect(encodeMetadata({ a: "é".repeat(4_096) })).toBeDefined();
});

test("whatever a page passes, nothing is thrown and every value is a string", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.anything()), (given) => {
      for (const value of Object.values(encodeMetadata(given) ?? {})) {
        expect(typeof value).toBe("string");
      }
    }),
  );
});
