import { expect, it } from "vitest";
import { plant } from "./planted-tree.ts";
import type { Wall } from "./planted-tree.ts";

const wall: Wall = {
  name: "no bananas",
  rule: "svc(fruit)",
  says: "no bananas",
  files: { "a.ts": "apple();\nbanana(); //!\n\npear(); //! no pears either" },
};

it("hides its marks from the rules", () => {
  expect([...plant([wall]).files]).toEqual([["a.ts", "apple();\nbanana();\n\npear();\n"]]);
});

it("expects one finding on a marked line, and none on any other", () => {
  expect(plant([wall]).lines.map(({ at, expected }) => [at, expected])).toEqual([
    ["a.ts:1", []],
    ["a.ts:2", [{ rule: "svc(fruit)", message: "no bananas" }]],
    ["a.ts:3", []],
    ["a.ts:4", [{ rule: "svc(fruit)", message: "no pears either" }]],
  ]);
});

it("puts walls that use the same file below each other", () => {
  const below = { ...wall, name: "below", files: { "a.ts": "plum();\nbanana(); //!" } };
  const { files, lines } = plant([wall, below]);
  expect(files.get("a.ts")?.split("\n")[5]).toBe("banana();");
  expect(lines.filter((line) => line.wall === below).map(({ at }) => at)).toEqual([
    "a.ts:5",
    "a.ts:6",
  ]);
});
