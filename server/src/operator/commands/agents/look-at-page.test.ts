import { expect, test } from "vitest";
import { paramsTrouble } from "./look-at-page.ts";

const name = { key: "name", type: "string" } as const;

test("a page that takes what the agent may send is fine", () => {
  const size = { key: "size", type: "integer", optional: true } as const;
  const own = {
    name: { type: "string", optional: true },
    size: { type: "integer", optional: true },
  };
  expect(paramsTrouble([name, size], own)).toBeUndefined();
  expect(paramsTrouble([name], own)).toBeUndefined();
});

test("a page that would refuse it is named with the parameter", () => {
  expect(paramsTrouble([name], {})).toBe("the page does not take name");
  expect(paramsTrouble([name], { name: { type: "number" } })).toBe(
    "name is string for the agent, number for the page",
  );
  expect(paramsTrouble([{ ...name, optional: true }], { name: { type: "string" } })).toBe(
    "the page needs name",
  );
  expect(paramsTrouble([], { name: { type: "string" } })).toBe("the page needs name");
});
