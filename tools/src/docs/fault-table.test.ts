import { expect, it } from "vitest";
import { temporaryRepository } from "../temporary-repository.ts";
import { faultTable } from "./fault-table.ts";

const document = "docs/operate/reliability.md";

function tableWith(rows: string[], tests: Record<string, string>) {
  const files = temporaryRepository({
    [document]: `<!-- faults:start -->\n${rows.map((row) => `${row}\n`).join("")}<!-- faults:end -->\n`,
    ...tests,
  });
  const check = faultTable(files);
  check.write!();
  return { check, rows: files.read(document)!.split("\n").slice(3, -2) };
}

it("names the tests that cover a fault, and says of the others that none does yet", () => {
  const { check, rows } = tableWith(
    ["| P1 | restart | answers 503 | |", "| P2 | kill | answers 503 | gone.test.ts |"],
    {
      "server/src/a.db.test.ts": "  // P1\n  it();\n  // P1, S9: twice\n",
      "proofs/src/b.ts": "// P1\n",
      "server/src/c.ts": "// P2\n",
      "server/src/d.test.ts": "const a = 1; // P2\n// P2 is not meant here\n",
    },
  );
  expect(rows).toEqual([
    "| P1 | restart | answers 503 | [a.db.test.ts](../../server/src/a.db.test.ts), [b.ts](../../proofs/src/b.ts) |",
    "| P2 | kill | answers 503 | not yet |",
  ]);
  expect(check.problems()).toEqual([
    "server/src/a.db.test.ts covers S9, which has no row in docs/operate/reliability.md. Add it.",
  ]);
  expect(check.summary()).toBe("2 faults, 1 of them not covered yet");
});

it("finds a second row for the same fault", () => {
  const { check } = tableWith(["| P1 | a | b | |", "| P1 | c | d | |"], {});
  expect(check.problems()).toEqual([
    "docs/operate/reliability.md has a second row for P1. Keep one.",
  ]);
});

it("finds a test that was added or taken away", () => {
  const test = { "server/src/a.test.ts": "// P1\n" };
  const files = temporaryRepository({
    [document]: "<!-- faults:start -->\n| P1 | a | b | |\n<!-- faults:end -->\n",
    ...test,
  });
  expect(faultTable(files).problems()).toHaveLength(1);
  faultTable(files).write!();
  expect(faultTable(files).problems()).toEqual([]);
  files.write("server/src/a.test.ts", "\n");
  expect(faultTable(files).problems()).toHaveLength(1);
});
