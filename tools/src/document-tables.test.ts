import { expect, it } from "vitest";
import { configTable, configTableCheck } from "./document-tables.ts";
import { dependencyTable, faultTable, importRows } from "./document-tables.ts";
import type { Part } from "./lint/import-table.ts";
import { temporaryRepository } from "./temporary-repository.ts";

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

const part = (name: string, more: Partial<Part>): Part => ({
  name,
  at: name,
  kind: "package",
  may: [],
  packages: [],
  because: "it is a test",
  ...more,
});

function rowsOf(table: Part[], more: Record<string, string> = {}): string[] {
  const files = temporaryRepository({
    "ARCHITECTURE.md": "<!-- import-table:start -->\n<!-- import-table:end -->\n",
    ...more,
  });
  importRows(files, table).write!();
  return files.read("ARCHITECTURE.md")!.split("\n").slice(3, -2);
}

it("says of each part where it stands and what it may import", () => {
  const table = [
    part("a", {}),
    part("a/b", { at: "a/b.ts", packages: ["zod"] }),
    part("c", { may: ["a", "a/b"], packages: "any" }),
    part("d", { may: ["a/b"], mayAsTypes: ["c"] }),
  ];
  expect(rowsOf(table, { "a/b.ts": "" })).toEqual([
    "| a | `a/` | nothing |",
    "| a/b | `a/b.ts` | zod |",
    "| c | `c/` (later) | a, npm packages |",
    "| d | `d/` (later) | a/b, c (types only) |",
  ]);
});

it("gives one row to neighbours with the same rights, and one word to a whole kind", () => {
  const table = [
    part("one", { kind: "module" }),
    part("two", { kind: "module" }),
    part("three", { kind: "module", may: ["one"] }),
    part("adapter", { kind: "adapter", may: ["one", "two", "three"] }),
  ];
  expect(rowsOf(table)).toEqual([
    "| one, two | `one/` (later), `two/` (later) | nothing |",
    "| three | `three/` (later) | one |",
    "| adapter | `adapter/` (later) | every module |",
  ]);
});

it("finds a table that no longer says what the lint rule holds", () => {
  const files = temporaryRepository({
    "ARCHITECTURE.md": "<!-- import-table:start -->\n<!-- import-table:end -->\n",
  });
  importRows(files, [part("a", {})]).write!();
  expect(importRows(files, [part("a", {})]).problems()).toEqual([]);
  expect(importRows(files, [part("a", { may: ["b"] })]).problems()).toHaveLength(1);
});

const configurationPage = "docs/operate/configuration.md";
const variables = [
  { name: "SVC_PORT", default: "8080", meaning: "Where it listens" },
  { name: "SVC_DATABASE_URL", default: "required", meaning: "Where the data is" },
];

it("shows each variable with its default and meaning", () => {
  const files = temporaryRepository({
    [configurationPage]: "<!-- config-table:start -->\n<!-- config-table:end -->\n",
  });
  const check = configTable(files, () => variables);
  expect(check.problems()).toHaveLength(1);
  check.write!();
  expect(check.problems()).toEqual([]);
  expect(files.read(configurationPage)).toContain("| `SVC_PORT` | `8080` | Where it listens |\n");
  expect(files.read(configurationPage)).toContain(
    "| `SVC_DATABASE_URL` | **required** | Where the data is |\n",
  );
});

it("finds a variable that the page does not know", () => {
  const files = temporaryRepository({
    [configurationPage]: "<!-- config-table:start -->\n<!-- config-table:end -->\n",
  });
  configTable(files, () => variables.slice(1)).write!();
  expect(configTable(files, () => variables).problems()).toHaveLength(1);
});

it("finds a variable in what operators copy that the server does not know", () => {
  const files = temporaryRepository({
    [configurationPage]: "<!-- config-table:start -->\n<!-- config-table:end -->\n",
    "deploy/helm/values.yaml": "SVC_PORT: 80\nSVC_PROT: 80\n# SVC_DATABASE_URL\nSVC_PROT: 81\n",
  });
  const check = configTable(files, () => variables);
  check.write!();
  expect(check.problems()).toEqual([
    "deploy/helm/values.yaml sets SVC_PROT, which the server does not know. Correct it.",
  ]);
});

it("asks the server itself", () => {
  expect(Number.parseInt(configTableCheck.summary(), 10)).toBeGreaterThan(10);
}, 30_000);

function dependenciesWith(rows: string, dependencies: Record<string, string>) {
  const files = temporaryRepository({
    "CONTRIBUTING.md": `<!-- dependencies:start -->\n| a | b | c | d |\n|---|---|---|---|\n${rows}<!-- dependencies:end -->\n`,
    "contract/package.json": JSON.stringify({ dependencies: { zod: "1.0.0" } }),
    "server/package.json": JSON.stringify({ dependencies }),
    "package-lock.json": JSON.stringify({
      packages: {
        "node_modules/zod": { license: "MIT" },
        "node_modules/pg": { license: "ISC" },
        "server/node_modules/own": { license: "BSD-3-Clause" },
        "node_modules/bare": {},
      },
    }),
  });
  const check = dependencyTable(files);
  check.write!();
  return { check, rows: files.read("CONTRIBUTING.md")!.split("\n").slice(3, -2) };
}

it("keeps what is written, looks the licence up, and forgets what is gone", () => {
  const { check, rows } = dependenciesWith(
    "| zod | ? | 1 package | schemas |\n| gone | MIT | 9 packages | once |\n",
    { "@svc/contract": "*", zod: "1.0.0" },
  );
  expect(rows).toEqual(["| zod | MIT | 1 package | schemas |"]);
  expect(check.problems()).toEqual([]);
});

it("asks why of a package that nobody has explained", () => {
  const { check, rows } = dependenciesWith("| zod | MIT | 1 package | schemas |\n", {
    pg: "1.0.0",
  });
  expect(rows).toEqual(["| pg | ISC |  |  |", "| zod | MIT | 1 package | schemas |"]);
  expect(check.problems()).toEqual([
    "CONTRIBUTING.md does not say what pg brings along and why. Say it.",
  ]);
});

it("finds a licence in a workspace's own packages, and wants to know one that is not named", () => {
  const { check, rows } = dependenciesWith(
    "| own | | a | b |\n| bare | | c | d |\n| zod | | e | f |\n",
    {
      own: "1.0.0",
      bare: "1.0.0",
    },
  );
  expect(rows).toEqual([
    "| bare | unknown | c | d |",
    "| own | BSD-3-Clause | a | b |",
    "| zod | MIT | e | f |",
  ]);
  expect(check.problems()).toEqual([
    "package-lock.json names no licence of bare. Look it up, and take no package without one.",
  ]);
});
