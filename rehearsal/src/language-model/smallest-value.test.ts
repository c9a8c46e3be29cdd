import { expect, test } from "vitest";
import { smallestValue } from "./smallest-value.ts";

test.each<[object, unknown]>([
  [{ type: "string" }, ""],
  [{ type: "string", enum: ["b", "a"] }, "b"],
  [{ const: 3 }, 3],
  [{ type: "integer", minimum: 2 }, 2],
  [{ type: "array", items: {} }, []],
  [{ type: ["string", "null"] }, null],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, null],
  [{ anyOf: [{ type: "boolean" }, { type: "string" }] }, false],
  [{ type: "object", properties: { a: { type: "string" }, b: {} }, required: ["a"] }, { a: "" }],
  [{ $ref: "#/$defs/d", $defs: { d: { type: "number" } } }, 0],
  [{}, {}],
])("%j allows %j", (schema, value) => {
  expect(smallestValue(schema)).toEqual(value);
});
