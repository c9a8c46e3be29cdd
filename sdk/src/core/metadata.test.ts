import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { encodeMetadata, isTooLarge, metadataHint, metadataOf } from "./metadata.ts";

function encoded(...sources: (object | undefined)[]): object {
  const metadata = encodeMetadata(...sources);
  if (typeof metadata === "string") throw new Error(metadata);
  return metadata;
}

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
  expect({ ...encoded(given) }).toEqual({
    plan: "pro",
    empty: "",
    seats: "5",
    trial: "false",
    none: "null",
    tags: '["a","b"]',
  });
});

test("later sources win", () => {
  expect({ ...encoded({ a: "1", b: "1" }, undefined, { b: "2" }) }).toEqual({
    a: "1",
    b: "2",
  });
});

test("keys such as __proto__ are plain data", () => {
  const metadata = encoded(JSON.parse('{"__proto__":"x","constructor":"y"}') as object);
  expect(Object.entries(metadata)).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
  expect(JSON.stringify(metadata)).toBe('{"__proto__":"x","constructor":"y"}');
});

test("what cannot be encoded is refused by its name", () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const trap = {
    get trap(): unknown {
      throw new Error("the page's own");
    },
  };
  for (const refused of [{ cycle }, { big: 1n }, trap]) {
    const [name] = Object.keys(refused);
    expect(encodeMetadata({ fine: 1 }, refused)).toBe(name);
  }
});

test("whatever a page passes, nothing is thrown and every value is a string", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.anything()), (given) => {
      const metadata = encodeMetadata(given);
      if (typeof metadata === "string") return;
      for (const value of Object.values(metadata)) expect(value).toBeTypeOf("string");
    }),
  );
});

// S4
test("more than is stored is refused and never cut", () => {
  const sixtyFive = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`k${i}`, ""]));
  const five = Object.fromEntries(
    Array.from({ length: 5 }, (_, i) => [`k${i}`, "x".repeat(8_000)]),
  );
  for (const refused of [sixtyFive, five, { a: "é".repeat(4_097) }]) {
    expect(isTooLarge(refused)).toBe(true);
    expect(metadataHint(refused)).toContain("too large");
  }
  expect(isTooLarge({ a: "é".repeat(4_096) })).toBe(false);
});

test("what could not be encoded is told by its name", () => {
  expect(metadataHint("cycle")).toContain('The metadata\'s "cycle" cannot be encoded as JSON.');
});

test("metadata that is no object is left out with a hint", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  for (const [index, wrong] of [5, "x", true, 1n, null, [], () => 1].entries()) {
    expect(metadataOf(wrong, `call ${index}`)).toBeUndefined();
    expect(warn).toHaveBeenCalledTimes(index + 1);
  }
  const right = { plan: "trial" };
  expect(metadataOf(right, "a call")).toBe(right);
  expect(metadataOf(undefined, "a call without any")).toBeUndefined();
  expect(warn).toHaveBeenCalledTimes(7);
});
