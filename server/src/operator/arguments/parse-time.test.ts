import { expect, it } from "vitest";
import { parseNumber } from "./parse-arguments.ts";
import { parseSince } from "./parse-time.ts";

const nowMs = Date.parse("2026-11-15T12:00:00.000Z");
const since = (text?: string): string | undefined =>
  parseSince({ arguments: {}, options: { since: text } }, nowMs)?.toISOString();

it.each([
  ["30m", "2026-11-15T11:30:00.000Z"],
  ["24h", "2026-11-14T12:00:00.000Z"],
  ["7d", "2026-11-08T12:00:00.000Z"],
  ["2w", "2026-11-01T12:00:00.000Z"],
  ["2026-11-01", "2026-11-01T00:00:00.000Z"],
  [" 2026-11-01 ", "2026-11-01T00:00:00.000Z"],
  ["2026-11-01T09:30Z", "2026-11-01T09:30:00.000Z"],
  ["2026-11-01T09:30:00.5+02:00", "2026-11-01T07:30:00.500Z"],
])("--since %s is %s", (text, at) => {
  expect(since(text)).toBe(at);
});

it("--since that is not given is no time", () => {
  expect(since()).toBeUndefined();
});

it.each([
  "",
  "yesterday",
  "-1h",
  "1.5h",
  "24",
  "99999999h",
  "2026-02-30",
  "2026-13-01",
  "11/01/2026",
  "2026-11-01T09:30",
])("--since %j is refused with an example", (text) => {
  expect(() => since(text)).toThrow(/Write 30m, 24h, 7d, 2026-11-01/);
});

it.each(["0", "1001", "-5", "1e2", "٣", "", "5 rows", "9".repeat(400)])(
  "a number of rows cannot be %j",
  (text) => {
    expect(() => parseNumber(text, "number of rows", { min: 1, max: 1_000 })).toThrow(
      /whole number from 1 to 1000/,
    );
  },
);

it("a number of rows is what was typed", () => {
  expect(parseNumber("20", "number of rows", { min: 1, max: 1_000 })).toBe(20);
  expect(parseNumber(undefined, "number of rows", { min: 1, max: 1_000 })).toBeUndefined();
});
