import type { SlideToken } from "@svc/contract/types";
import fc from "fast-check";
import { expect, test } from "vitest";
import { highlightCode } from "./highlight-code.ts";

// A grammar is read at its first use, which takes seconds where other tests run beside.
const SLOW = { timeout: 60_000 };

const textOf = (lines: SlideToken[][]): string[] =>
  lines.map((line) => line.map(([text]) => text).join(""));

test("code says what its pieces are", SLOW, async () => {
  const lines = ['await jobs.create("Kiel", 2); // done', "", "return job;"];
  expect(await highlightCode(lines, "JS")).toEqual([
    [
      ["await", "keyword"],
      [" jobs"],
      [".", "punctuation"],
      ["create", "function"],
      ["(", "punctuation"],
      ['"Kiel"', "string"],
      [", ", "punctuation"],
      ["2", "constant"],
      ["); ", "punctuation"],
      ["// done", "comment"],
    ],
    [[""]],
    [["return", "keyword"], [" job"], [";", "punctuation"]],
  ]);
});

test("a string goes on in the next line", SLOW, async () => {
  const [, second] = await highlightCode(["echo 'a", "b'"], "sh");
  expect(second).toEqual([["b'", "string"]]);
});

test.each(["zpl", "", "__proto__", "toString"])("code in %j stays as it is", async (language) => {
  expect(await highlightCode(["if (a)", ""], language)).toEqual([[["if (a)"]], [[""]]]);
});

test("whatever the code is, no letter of it is lost", SLOW, async () => {
  const piece = fc.constantFrom("<script>", "</", "`", "${", "'", '"', "\\", "#", "// ", "\t", " ");
  const line = fc.array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 6 }),
      fc.constantFrom("html", "bash", "typescript"),
      async (given, language) => {
        const lines = given.map((pieces) => pieces.join("").replaceAll(/[\n\r]/g, ""));
        expect(textOf(await highlightCode(lines, language))).toEqual(lines);
      },
    ),
    { numRuns: 100 },
  );
});
