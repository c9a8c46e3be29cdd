import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { facts, oneLine, table, tone, wrap } from "./terminal.ts";
import type { Column, Terminal } from "./terminal.ts";

const plain: Terminal = { width: 40, color: false, nowMs: 0 };
const colored: Terminal = { ...plain, color: true };

interface Row {
  name: string;
  count: number;
}
const name: Column<Row> = { title: "NAME", cell: (row) => row.name, flexible: true };
const count: Column<Row> = { title: "COUNT", cell: (row) => String(row.count), align: "right" };
const note: Column<Row> = { title: "NOTE", cell: () => "a longer remark", optional: true };

/** What a screen shows of a text: without the codes for colour. */
function shown(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the codes are what is taken out
  return text.replace(/\u001b\[\d+m/g, "");
}

describe("a table", () => {
  it("aligns its columns, figures to the right, without trailing spaces", () => {
    const rows = [
      { name: "Acme", count: 3 },
      { name: "Bo", count: 1_200 },
    ];
    expect(table(plain, rows, [name, count])).toBe(
      ["NAME  COUNT", "Acme      3", "Bo     1200"].join("\n"),
    );
    expect(table(plain, rows, [count, name])).toBe(
      ["COUNT  NAME", "    3  Acme", " 1200  Bo"].join("\n"),
    );
  });

  it("counts wide characters as the screen does", () => {
    const rows = [
      { name: "株式会社", count: 1 },
      { name: "é́👩‍👩‍👧", count: 22 },
    ];
    const lines = table(plain, rows, [name, count]).split("\n");
    expect(lines.map((line) => stringWidth(line))).toEqual([15, 15, 15]);
  });

  it("shortens the flexible column when the line is too long, and no other", () => {
    const rows = [{ name: "x".repeat(100), count: 7 }];
    const [, line] = table(plain, rows, [name, count]).split("\n");
    expect(line).toBe(`${"x".repeat(32)}…      7`);
    expect(table(plain, rows, [{ ...name, flexible: false }, count])).toContain("x".repeat(100));
  });

  it("never cuts a wide character in half", () => {
    const rows = [{ name: "株".repeat(50), count: 7 }];
    const [, line] = table(plain, rows, [name, count]).split("\n");
    expect(stringWidth(line!)).toBe(40);
    expect(line).toMatch(/^株+…/);
  });

  it("shortens the widest of several flexible columns first, and none below eight", () => {
    const both = [{ title: "A", cell: () => "a".repeat(30), flexible: true }, { ...name }];
    const rows = [{ name: "b".repeat(14), count: 1 }];
    expect(table({ ...plain, width: 30 }, rows, both).split("\n")[1]).toBe(
      `${"a".repeat(13)}…  ${"b".repeat(14)}`,
    );
    expect(table({ ...plain, width: 5 }, rows, both).split("\n")[1]).toBe(
      `${"a".repeat(7)}…  ${"b".repeat(7)}…`,
    );
  });

  it("cuts off the beginning where the end tells more", () => {
    const rows = [{ name: "www.example.com/pricing", count: 1 }];
    expect(table({ ...plain, width: 9 }, rows, [{ ...name, keepsEnd: true }])).toContain(
      "…/pricing",
    );
  });

  it("leaves optional columns out before it shortens anything", () => {
    const rows = [{ name: "Acme Robotics and Company", count: 7 }];
    expect(table(plain, rows, [name, count, note])).not.toContain("NOTE");
    expect(table(plain, rows, [name, count, note])).toContain("Acme Robotics and Company");
    expect(table({ ...plain, width: 60 }, rows, [name, count, note])).toContain("a longer remark");
  });

  it("looks the same in colour, so that colour never carries the meaning alone", () => {
    const rows = [
      { name: "Acme", count: 3 },
      { name: "", count: 4 },
    ];
    const columns: Column<Row>[] = [
      { ...count, tone: () => "bad" },
      { ...name, tone: () => "good" },
    ];
    const text = table(colored, rows, columns);
    expect(text).toContain("\u001b[31m3\u001b[39m");
    expect(shown(text)).toBe(table(plain, rows, columns));
  });

  it("fits any text into the width, whatever it holds", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: fc.string({ unit: "binary" }), count: fc.nat() }), {
          maxLength: 6,
        }),
        fc.integer({ min: 30, max: 200 }),
        (rows, width) => {
          const lines = table({ ...plain, width }, rows, [name, count, note]).split("\n");
          expect(lines).toHaveLength(rows.length + 1);
          for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

describe("facts", () => {
  it("align their values, wrap long ones under themselves and skip what is not there", () => {
    const text = facts({ ...plain, width: 30 }, [
      ["id", "7"],
      ["contact", undefined],
      ["email", ""],
      ["why", "the evaluation was not written in time"],
    ]);
    expect(text).toBe(["id   7", "why  the evaluation was not", "     written in time"].join("\n"));
  });
});

describe("wrapping", () => {
  it("keeps every word, within the width unless a single word is longer", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z株]{1,30}$/), { minLength: 1 }),
        fc.integer({ min: 20, max: 100 }),
        fc.nat({ max: 10 }),
        (words, width, indent) => {
          const lines = wrap(words.join(" "), width, indent).split("\n");
          expect(lines.flatMap((line) => line.trim().split(" "))).toEqual(words);
          const tooLong = lines.filter((line) => stringWidth(line) > Math.max(width, indent + 20));
          expect(tooLong.filter((line) => line.trim().includes(" "))).toEqual([]);
        },
      ),
    );
  });
});

// S12
describe("stored text", () => {
  it.each([
    ["a line break", "one\ntwo\r\nthree", "one two three"],
    ["a terminal command", "\u001b[2Jgone \u009b31m", " [2Jgone  31m"],
    ["a bell, a backspace and a null", "\u0007a\u0008b\u0000c", " a b c"],
    ["a turn of the writing direction", "abc\u202Edcba\u2066x", "abc dcba x"],
  ])("loses %s", (_what, text, kept) => {
    expect(oneLine(text)).toBe(kept);
  });

  it("reaches the screen in no place that shows it", () => {
    const hostile = "\u001b]0;title\u0007\nforged line";
    const places = [
      table(plain, [{ name: hostile, count: 1 }], [name, count]),
      facts(plain, [[hostile, hostile]]),
      wrap(hostile, 40, 2),
    ];
    for (const place of places) {
      expect(place).not.toMatch(/[\u0007\u001b]/); // oxlint-disable-line no-control-regex -- what must not be there
      expect(place).not.toMatch(/^forged line/m);
    }
  });
});

it("colours nothing where there are no colours", () => {
  expect(tone(plain, "bad", "fail")).toBe("fail");
  expect(tone(colored, "bad", "fail")).toBe("\u001b[31mfail\u001b[39m");
});
