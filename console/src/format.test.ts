import { expect, it } from "vitest";
import { ago, duration, fieldTime, money, titleOf } from "./format.ts";

const NOW = Date.parse("2026-11-17T12:00:00Z");

it.each([
  ["2026-11-17T11:59:30Z", "30 s"],
  ["2026-11-17T11:51:00Z", "9 min"],
  ["2026-11-17T06:00:00Z", "6 h"],
  ["2026-11-01T12:00:00Z", "16 d"],
  ["2026-11-17T12:00:12Z", "in 12 s"],
])("says how long ago %s is", (at, words) => {
  expect(ago(at, NOW)).toBe(words);
});

it("fills a field for a time with what reads back as that minute", () => {
  expect(new Date(fieldTime(NOW)).getTime()).toBe(NOW);
});

it("writes lengths, money and names", () => {
  expect([duration(158), duration(3_729)]).toEqual(["2:38", "1:02:09"]);
  expect([money(84_100), money(1_890_000)]).toEqual(["0.0841", "1.89"]);
  expect(titleOf("team_size")).toBe("Team size");
});
