import fc from "fast-check";
import { expect, test } from "vitest";
import {
  flag,
  list,
  mapOf,
  Mistake,
  number,
  object,
  oneOf,
  openObject,
  optional,
  or,
  text,
} from "./shape.ts";

const shape = object<{ name: string; tags: string[]; size?: number; on: boolean | null }>({
  name: text,
  tags: list(text),
  size: optional(number({ from: 0, to: 9, whole: true })),
  on: or(flag, null),
});

test("what fits comes back, with its defaults", () => {
  const read = shape({ name: "a", tags: ["b"] }, "");
  expect(read).toStrictEqual({ name: "a", tags: ["b"], on: null });
});

test.each<[unknown, string]>([
  [{ tags: [] }, "name: a string is missing"],
  [{ name: "a", tags: ["b", 1] }, "tags[1]: expected a string, not a number"],
  [{ name: "a", tags: null }, "tags: expected a list, not null"],
  [{ name: "a", tags: [], size: 1.5 }, "size: expected a whole number from 0 to 9, not 1.5"],
  [{ name: "a", tags: [], nmae: "" }, "nmae: nothing is known by this name"],
  [[], "the whole: expected an object, not a list"],
])("%j is a mistake with its place", (value, message) => {
  expect(() => shape(value, "")).toThrow(message);
});

test("a word is one of a few", () => {
  const word = oneOf("yes", "no");
  expect(word("no", "")).toBe("no");
  expect(() => word("maybe", "a")).toThrow('a: expected one of yes, no, not "maybe"');
  expect(() => word(undefined, "a")).toThrow("a: one of yes, no is missing");
});

test("keys such as __proto__ are data", () => {
  const value: unknown = JSON.parse('{"__proto__": "a", "toString": "b"}');
  expect(Object.entries(mapOf(text)(value, ""))).toEqual([
    ["__proto__", "a"],
    ["toString", "b"],
  ]);
  expect(openObject({ toString: optional(text) })({}, "")).toStrictEqual({});
});

test("nothing but a Mistake is ever thrown", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      let thrown: unknown = new Mistake("value", "", "");
      try {
        shape(value, "");
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(Mistake);
    }),
  );
});
