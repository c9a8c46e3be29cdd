import { expect, it } from "vitest";
import { firstDifference } from "./first-difference.ts";

const table = [
  ["id", "summary"],
  ["1", "one"],
];

it("finds nothing between equal tables", () => {
  expect(firstDifference(table, structuredClone(table))).toBeUndefined();
});

it.each([
  [
    "a changed cell",
    [
      ["id", "summary"],
      ["1", "One"],
    ],
    "row 1, column 1",
  ],
  ["a missing cell", [["id", "summary"], ["1"]], "row 1, column 1"],
  [
    "a cell too many",
    [
      ["id", "summary"],
      ["1", "one", ""],
    ],
    "row 1 has 3 cells, not 2",
  ],
  ["a missing row", [["id", "summary"]], "row 1 of 2 is missing"],
  ["a row too many", [...table, [""]], "3 rows, not 2"],
])("finds %s", (_, read, where) => {
  expect(firstDifference(table, read)).toContain(where);
});
