import { expect, it } from "vitest";
import { compare } from "./compare.ts";
import type { Wall } from "./wall.ts";
import { lawfulLineCount, layersOf, withoutMarks } from "./wall.ts";

const wall: Wall = {
  name: "no bananas",
  rule: "svc(fruit)",
  says: "no bananas",
  files: { "a.ts": "apple();\nbanana(); //!\n\npear(); //! no pears either" },
};
const banana = { at: "a.ts:2", rule: "svc(fruit)", message: "There are no bananas today" };
const pear = { at: "a.ts:4", rule: "svc(fruit)", message: "no pears either" };

it("is content when each planted line is found once, and nothing else", () => {
  const elsewhere = { ...banana, at: "b.ts:2" };
  expect(compare(wall, [pear, banana, elsewhere])).toMatchObject({ missed: [], wrong: [] });
});

it.each([
  ["by another rule", { ...banana, rule: "svc(veg)" }],
  ["in other words", { ...banana, message: "no" }],
  ["on another line", { ...banana, at: "a.ts:3" }],
])("misses a line found %s", (_, finding) => {
  const { missed, wrong } = compare(wall, [finding, pear]);
  expect(missed.map((line) => line.at)).toEqual(["a.ts:2"]);
  expect(wrong).toEqual([finding]);
});

it("does not accept a second finding on a planted line", () => {
  expect(compare(wall, [banana, banana, pear]).wrong).toEqual([banana]);
});

it("hides its marks from the rules, and counts what is lawful", () => {
  expect(withoutMarks(wall.files["a.ts"] ?? "")).toBe("apple();\nbanana();\n\npear();\n");
  expect(lawfulLineCount(wall)).toBe(1);
});

it("gives two walls that need the same file a layer each", () => {
  const other: Wall = { ...wall, name: "other", files: { "b.ts": "" } };
  expect(layersOf([wall, { ...wall, name: "twin" }, other]).map((layer) => layer.length)).toEqual([
    2, 1,
  ]);
});
