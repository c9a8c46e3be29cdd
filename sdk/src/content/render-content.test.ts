import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCsv } from "./render-content.ts";

test.each([
  [
    "a,b\nc,d\n",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  [
    '"a, ""b""",c\r\n"x\ny",z',
    [
      ['a, "b"', "c"],
      ["x\ny", "z"],
    ],
  ],
  ["a,,c\n", [["a", "", "c"]]],
  ["", []],
  ["one", [["one"]]],
])("%j is read", (text, rows) => {
  expect(parseCsv(text)).toEqual(rows);
});

test("what is written with quotes is read back", () => {
  const cell = fc.string({ unit: "binary" });
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(table, (rows) => {
      const text = rows
        .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(","))
        .join("\r\n");
      expect(parseCsv(text)).toEqual(rows);
    }),
    { numRuns: 30 },
  );
});
