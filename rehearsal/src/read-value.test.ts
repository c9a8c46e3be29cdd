import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { Mistake, orElse, readValue } from "./read-value.ts";

const schema = z.strictObject({
  name: z.string(),
  tags: z.array(z.string()),
  size: z.int().min(0).max(9).exactOptional(),
  on: orElse(z.boolean(), null),
});

test("what fits comes back, with its defaults", () => {
  const read = readValue(schema, { name: "a", tags: ["b"] });
  expect(read).toStrictEqual({ name: "a", tags: ["b"], on: null });
});

test.each<[unknown, string]>([
  [{ tags: [] }, "name: it is missing"],
  [{ name: "a", tags: ["b", 1] }, "tags[1]: expected string, received number"],
  [{ name: "a", tags: null }, "tags: expected array, received null"],
  [{ name: "a", tags: [], size: 1.5 }, "size: expected int, received number"],
  [{ name: "a", tags: [], nmae: "" }, "nmae: nothing is known by this name"],
  [[], "the whole: expected object, received array"],
])("%j is a mistake with its place", (value, message) => {
  expect(() => readValue(schema, value)).toThrow(message);
});

test("nothing but a Mistake is ever thrown", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      let thrown: unknown = new Mistake("value", "", "");
      try {
        readValue(schema, value);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(Mistake);
    }),
  );
});
