import { readFileSync, readdirSync } from "node:fs";
import { SESSION_FIELDS } from "@svc/contract/session-fields";
import type { Session } from "@svc/contract/types";
import { expect, it } from "vitest";
import { firstDifference, guarded, tableOf, writeCsv } from "./table.ts";

const fixtures = new URL("fixtures/", import.meta.resolve("@svc/contract/openapi.json"));
const fixture = (name: string): string => readFileSync(new URL(name, fixtures), "utf8");

it("writes the golden CSV file to the byte", () => {
  const sessions = readdirSync(new URL("sessions/", fixtures))
    .map((name) => JSON.parse(fixture(`sessions/${name}`)) as Session)
    .toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  expect(writeCsv(tableOf(sessions, SESSION_FIELDS))).toBe(fixture("sessions.csv"));
});

it("puts the apostrophe where the golden texts have it", () => {
  const texts = JSON.parse(fixture("formula-texts.json")) as { text: string; guarded: boolean }[];
  expect(texts.filter(({ text }) => guarded(text) !== text)).toEqual(
    texts.filter((one) => one.guarded),
  );
});

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
