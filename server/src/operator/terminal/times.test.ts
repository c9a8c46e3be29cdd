import { expect, it } from "vitest";
import { ago, duration, moment } from "./times.ts";

const nowMs = Date.parse("2026-11-15T12:00:00.000Z");
const terminal = { width: 80, color: false, nowMs };

it.each([
  ["2026-11-15T11:59:59.900Z", "just now"],
  ["2026-11-15T11:59:18.000Z", "42 s ago"],
  ["2026-11-15T11:57:00.000Z", "3 min ago"],
  ["2026-11-15T09:30:00.000Z", "2 h ago"],
  ["2026-11-14T03:00:00.000Z", "33 h ago"],
  ["2026-11-10T12:00:00.000Z", "5 days ago"],
  ["2026-01-02T12:00:00.000Z", "2026-01-02"],
  ["2026-11-15T12:04:10.000Z", "in 4 min"],
  ["2027-06-01T00:00:00.000Z", "2027-06-01"],
])("tells %s as %s", (at, words) => {
  expect(ago(terminal, at)).toBe(words);
});

it("gives the exact time beside the relative one, and nothing for no time", () => {
  expect(moment(terminal, "2026-11-15T11:57:00.000Z")).toBe("3 min ago (2026-11-15T11:57:00.000Z)");
  expect(moment(terminal, undefined)).toBeUndefined();
});

it.each([
  [0, "0s"],
  [48, "48s"],
  [59.7, "1m 00s"],
  [252, "4m 12s"],
  [3_600, "1h 00m"],
  [3_785, "1h 03m"],
])("writes %d seconds as %s", (secs, words) => {
  expect(duration(secs)).toBe(words);
});
