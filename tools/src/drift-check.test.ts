import { expect, it } from "vitest";
import { temporaryRepository } from "./temporary-repository.ts";
import { madeSection, markdownTable } from "./drift-check.ts";

function sectionIn(document: string | undefined) {
  const files = temporaryRepository(document === undefined ? {} : { "page.md": document });
  const check = madeSection(files, {
    name: "rows",
    document: "page.md",
    make: (current) => `made of ${current.length}\n`,
    summary: () => "",
    faults: (current) => (current.includes("wrong") ? ["something is wrong"] : []),
  });
  return { check, text: () => files.read("page.md") };
}

it("finds a section that is not what is made now", () => {
  const { check } = sectionIn("a\n<!-- rows:start -->\nold\n<!-- rows:end -->\nb\n");
  expect(check.problems()).toEqual([
    "page.md is not in step. Run `npm run generate` and commit it.",
  ]);
});

it("writes between the marks and nowhere else", () => {
  const { check, text } = sectionIn("a\n<!-- rows:start -->\n<!-- rows:end -->\nb\n");
  check.write!();
  expect(text()).toBe("a\n<!-- rows:start -->\nmade of 0\n<!-- rows:end -->\nb\n");
});

it.each([
  ["no document", undefined],
  ["no marks", "a\n"],
  ["no first mark", "a\n<!-- rows:end -->\n"],
  ["no second mark", "<!-- rows:start -->\n"],
  ["the marks the wrong way round", "<!-- rows:end -->\n<!-- rows:start -->\n"],
])("complains of %s, and writes nothing", (_what, document) => {
  const { check, text } = sectionIn(document);
  check.write!();
  expect(check.problems()[0]).toContain("has lost its marks");
  expect(text()).toBe(document);
});

it("tells what writing does not cure", () => {
  const { check } = sectionIn("<!-- rows:start -->\nwrong\n<!-- rows:end -->\n");
  expect(check.problems()).toContain("something is wrong");
});

it("keeps a bar inside its cell", () => {
  expect(markdownTable(["a"], [["x | y"]])).toBe("| a |\n| --- |\n| x \\| y |\n");
});
