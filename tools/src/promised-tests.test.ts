import { expect, it } from "vitest";
import { promisedTests } from "./promised-tests.ts";
import { temporaryRepository } from "./temporary-repository.ts";

function problemsOf(row: string, head = "| threat | what stops it | test |"): string[] {
  return promisedTests(
    temporaryRepository({
      "docs/operate/threat-model.md": `${head}\n|---|---|---|\n${row}\n\nAfter it.\n`,
      "proofs/CLAIMS.md": "| claim | x |\n| caps-are-hard | x |\n",
      "server/src/a.test.ts": "",
      "server/src/a.ts": "",
    }),
  ).problems();
}

it.each([
  "| spends | caps | [a](../../server/src/a.test.ts) |",
  "| spends | caps | `caps-are-hard` |",
  "| spends | caps | no test: the operator's own duty |",
])("is content with %s", (row) => {
  expect(problemsOf(row)).toEqual([]);
});

it.each([
  ["an empty cell", "| spends | caps | |"],
  ["words alone", "| spends | caps | see there |"],
  ["a file that is no test", "| spends | caps | [a](../../server/src/a.ts) |"],
  ["a test that is gone", "| spends | caps | [a](../../server/src/b.test.ts) |"],
  ["a claim that is gone", "| spends | caps | `caps-are-soft` |"],
])("finds %s", (_, row) => {
  expect(problemsOf(row)).toHaveLength(1);
});

it("reads no table that promises nothing", () => {
  expect(problemsOf("| a | b | c |", "| word | is | where |")).toEqual([]);
});
