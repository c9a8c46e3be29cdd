import { expect, test } from "vitest";
import { checkStrictSchema, smallestValue } from "./json-schema.ts";

const closed = (properties: Record<string, object>, more: object = {}) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

test("a schema with every key required and nothing beside is taken", () => {
  const leaf = { anyOf: [closed({ a: { type: "string" } }), { type: "null" }] };
  checkStrictSchema("x", closed({ list: { type: "array", items: leaf }, none: closed({}) }));
});

test.each([
  ["its root must be an object", { type: "array", items: {} }],
  ["its root must set additionalProperties", { ...closed({}), additionalProperties: true }],
  ["'a' must list 'b' in 'required'", closed({ a: closed({ b: {} }, { required: [] }) })],
  ["'a.items' must set", closed({ a: { type: "array", items: { type: "object" } } })],
  ["'a' uses 'allOf'", closed({ a: { allOf: [] } })],
  ["'$defs.d' uses 'not'", closed({}, { $defs: { d: { not: {} } } })],
  ["is nested deeper than 10 levels", nested(12)],
  ["has more than 5000 properties", closed(wide(5_001))],
])("refused because %s", (why, schema) => {
  expect(() => checkStrictSchema("x", schema)).toThrow(why);
});

function nested(levels: number): Record<string, unknown> {
  return levels === 0 ? closed({}) : closed({ a: nested(levels - 1) });
}

function wide(count: number): Record<string, object> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, {}]));
}

test.each<[object, unknown]>([
  [{ type: "string" }, ""],
  [{ type: "string", enum: ["b", "a"] }, "b"],
  [{ type: "integer" }, 0],
  [{ type: "boolean" }, false],
  [{ type: "array", items: {} }, []],
  [{ type: "object", properties: { a: { type: "string" }, b: {} }, required: ["a"] }, { a: "" }],
  [{}, {}],
])("%j allows %j", (schema, value) => {
  expect(smallestValue(schema)).toEqual(value);
});
