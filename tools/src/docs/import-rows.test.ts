import { expect, it } from "vitest";
import type { Part } from "../lint/import-table.ts";
import { temporaryRepository } from "../temporary-repository.ts";
import { importRows } from "./import-rows.ts";

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
    part("one", { kind: "room" }),
    part("two", { kind: "room" }),
    part("three", { kind: "room", may: ["one"] }),
    part("edge", { kind: "edge", may: ["one", "two", "three"] }),
  ];
  expect(rowsOf(table)).toEqual([
    "| one, two | `one/` (later), `two/` (later) | nothing |",
    "| three | `three/` (later) | one |",
    "| edge | `edge/` (later) | every room |",
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
