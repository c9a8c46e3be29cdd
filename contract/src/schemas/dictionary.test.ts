import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { dictionary } from "./dictionary.ts";

const texts = dictionary(z.string());

describe("a dictionary", () => {
  it("keeps the key __proto__ as plain data", () => {
    const input = JSON.parse('{"__proto__":"plain","constructor":"data"}') as object;
    expect(JSON.stringify(texts.parse(input))).toBe(JSON.stringify(input));
    expect(Object.getPrototypeOf(texts.parse(input))).toBe(Object.prototype);
  });

  it("keeps every key, value and their order, whatever the keys are called", () => {
    const key = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "__proto__",
        "___proto__",
        "____proto__",
        "_proto__",
        "constructor",
        "toString",
        "",
      ),
    );
    const json = fc
      .array(fc.tuple(key, fc.string({ unit: "binary" })), { minLength: 1 })
      .map((entries) => JSON.stringify(Object.fromEntries(entries)));
    fc.assert(
      fc.property(json, (text) => {
        expect(JSON.stringify(texts.parse(JSON.parse(text)))).toBe(text);
      }),
    );
  });

  it("checks the value under __proto__ like any other", () => {
    expect(texts.safeParse(JSON.parse('{"__proto__":{"admin":"yes"}}')).success).toBe(false);
    expect(texts.safeParse(JSON.parse('{"__proto__":null}')).success).toBe(false);
  });

  it("refuses what is no object, and an object without entries", () => {
    const inputs = [{}, [], ["a"], "a", 1, null, undefined];
    expect(inputs.filter((input) => texts.safeParse(input).success)).toEqual([]);
  });

  it("leaves its input as it was", () => {
    const input = JSON.parse('{"__proto__":"plain"}') as object;
    texts.parse(input);
    expect(Object.keys(input)).toEqual(["__proto__"]);
  });
});
