import { describe, expect, it } from "vitest";
import { repository } from "./repository.ts";
import { specCoverage, statementsOf } from "./spec-coverage.ts";
import { temporaryRepository } from "./temporary-repository.ts";

const specification = `# Parcels

## 1. Sending

Parcels are weighed. They are sent by night.

| Field | Type |
|---|---|
| weight | grams |

Colours: not shown.
`;

const rows = [
  "| 1 | Parcels are weighed. | sessions | server/src/parcel.test.ts › weighs a parcel |",
  "| 1 | They are sent by night. | sdk | parcels-arrive |",
  "| 1 | weight · grams | contract | contract/src/parcel.test.ts › counts grams<br>parcels-arrive |",
  "| 1 | Colours: not shown. | none | decided: all are brown |",
];

const tests = `
describe("a parcel", () => {
  it("weighs a parcel", () => {});
  it.skip("sleeps", () => {});
  it.each([
    [1],
  ])(
    "counts grams",
  );
});
`;

function tableOf(lines: string[]): string {
  return `# Coverage\n\n| § | statement | part | held by |\n|---|---|---|---|\n${lines.join("\n")}\n`;
}

function coverage(lines: string[]): { problems(): string[]; summary(): string; table(): string } {
  const files = temporaryRepository({
    "docs/reference/specification.md": specification,
    "docs/reference/spec-coverage.md": tableOf(lines),
    "contract/src/parcel.test.ts": tests,
    "server/src/parcel.test.ts": tests,
    "proofs/src/parcels-arrive.ts": "",
    "proofs/CLAIMS.md": "| claim |\n| --- |\n| parcels-arrive |\n| letters-stay-shut |\n",
  });
  const check = specCoverage(files);
  return {
    problems: () => check.problems(),
    summary: () => check.summary(),
    table: () => {
      check.write?.();
      return files.read("docs/reference/spec-coverage.md")!;
    },
  };
}

/** The good table with one row changed. */
function withRow(index: number, row: string): string[] {
  return coverage(rows.with(index, row)).problems();
}

describe("spec coverage", () => {
  it("is content with a row for every statement and a test for every row", () => {
    expect(coverage(rows).problems()).toEqual([]);
    expect(coverage(rows).summary()).toBe(
      "4 statements: 3 held by tests; 1 that promise nothing or are decided elsewhere",
    );
  });

  it("finds a statement without a row", () => {
    expect(coverage(rows.toSpliced(1, 1)).problems()).toEqual([
      '§1 "They are sent by night." has no row. Run `npm run generate`, then fill it in.',
    ]);
  });

  it("finds a row whose statement is gone, and the one it became", () => {
    const problems = withRow(1, "| 1 | They are sent by day. | sdk | parcels-arrive |");
    expect(problems).toHaveLength(2);
    expect(problems[1]).toContain(
      '"They are sent by day." is not in docs/reference/specification.md',
    );
  });

  it("finds a statement that moved to another section", () => {
    expect(withRow(1, rows[1]!.replace("1", "2"))).toHaveLength(2);
  });

  it("finds a second row for one statement", () => {
    expect(coverage([...rows, rows[1]!]).problems()).toEqual([
      '§1 "They are sent by night." has a second row. Keep one.',
    ]);
  });

  it("finds an empty row", () => {
    expect(withRow(0, "| 1 | Parcels are weighed. | sessions | |")).toEqual([
      '§1 "Parcels are weighed." belongs to sessions, but no test holds it. Name one.',
    ]);
  });

  it.each([
    ["server/src/parcel.test.ts › weighs a letter", 'has no test "weighs a letter"'],
    ["server/src/parcel.test.ts › a parcel", 'has no test "a parcel"'],
    ["server/src/parcel.test.ts › weighs a", 'has no test "weighs a"'],
    [
      "server/src/parcel.test.ts › sleeps",
      'the test "sleeps" in server/src/parcel.test.ts is skipped',
    ],
    ["server/src/letter.test.ts › weighs a parcel", "there is no file server/src/letter.test.ts"],
    ["server/src/parcel.test.ts", 'needs " › " and a test\'s title'],
    ["proofs/src/parcels-arrive.ts", 'needs " › " and a test\'s title'],
    ["letters-arrive", "no proof claims letters-arrive"],
  ])("finds that nothing holds a row: %s", (heldBy, fault) => {
    const [problem, ...others] = withRow(0, `| 1 | Parcels are weighed. | sessions | ${heldBy} |`);
    expect(problem).toContain(fault);
    expect(others).toEqual([]);
  });

  it("takes a claim by its file's name, or by the name that a proof states", () => {
    expect(withRow(0, "| 1 | Parcels are weighed. | live | letters-stay-shut |")).toEqual([]);
  });

  it("finds a row that only the contract's shape holds, unless it says so", () => {
    const shape = "contract/src/parcel.test.ts › weighs a parcel";
    const row = (heldBy: string): string[] =>
      withRow(0, `| 1 | Parcels are weighed. | contract | ${heldBy} |`);
    for (const heldBy of [shape, `${shape}<br>contract/src/parcel.test.ts › counts grams`]) {
      expect(row(heldBy)).toEqual([
        expect.stringContaining('"Parcels are weighed.": only the contract\'s shape holds it'),
      ]);
    }
    expect(row(`shape: ${shape}`)).toEqual([]);
    expect(row("shape: contract/src/letter.test.ts › x")).toHaveLength(1);
    expect(row(`${shape}<br>parcels-arrive`)).toEqual([]);
  });

  it("finds that the specification itself is gone", () => {
    expect(specCoverage(temporaryRepository({})).problems()).toHaveLength(1);
  });

  it("finds an unknown part", () => {
    expect(withRow(1, "| 1 | They are sent by night. | lorry | |")[0]).toContain(
      'the part "lorry"',
    );
  });

  it("wants to know why a row belongs to no part", () => {
    expect(withRow(3, "| 1 | Colours: not shown. | none | |")).toHaveLength(1);
    expect(withRow(3, "| 1 | Colours: not shown. | none | promises nothing |")).toEqual([]);
  });

  it("adds missing rows in their place, and leaves the others as they are", () => {
    const lines = rows.with(1, "| 1 | They are sent by day. | sdk | |").slice(0, 3);
    expect(coverage(lines).table()).toBe(
      tableOf([
        lines[0]!,
        "| 1 | They are sent by night. | | |",
        lines[1]!,
        lines[2]!,
        "| 1 | Colours: not shown. | | |",
      ]),
    );
    expect(coverage(rows).table()).toBe(tableOf(rows));
  });
});

it("takes every sentence, list item and table row, with its section", () => {
  const markdown = `# Title

One sentence. Two, with \`code.js\` and 2.3 in it.

## 1. First

Rules:
1. Numbered. \`Twice\` even.
2. Second
- Dashed, see 4.
### 1.2 Table

Announced here. As follows:

| a | b |
|---|---|
| x | |
| y | z. Still the row. |
`;
  expect(statementsOf(markdown).map(({ section, text }) => `${section}: ${text}`)).toEqual([
    "0: One sentence.",
    "0: Two, with `code.js` and 2.3 in it.",
    "1: Numbered.",
    "1: `Twice` even.",
    "1: Second",
    "1: Dashed, see 4.",
    "1.2: Announced here.",
    "1.2: x",
    "1.2: y · z. Still the row.",
  ]);
});

it("leaves nothing of the specification out but headings, head rows and announcements", () => {
  const whole = repository.read("docs/reference/specification.md")!;
  const prose = whole.replace(/^#.*$/gm, "").replace(/^\|.*\n\|[-|]+$/gm, "");
  const gaps: string[] = [];
  let at = 0;
  for (const piece of statementsOf(whole).flatMap(({ text }) => text.split(" · "))) {
    const found = prose.indexOf(piece, at);
    gaps.push(prose.slice(at, found));
    at = found + piece.length;
  }
  gaps.push(prose.slice(at));
  const announcement = /^[^.|]*:$/;
  const mark = /^(?:-|\d+\.|[| ]*)$/;
  const left = gaps
    .flatMap((gap) => gap.split("\n"))
    .map((line) => line.trim())
    .filter((line) => !announcement.test(line) && !mark.test(line));
  expect(left).toEqual([]);
});
