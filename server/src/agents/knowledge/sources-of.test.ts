import { expect, test } from "vitest";
import { knowledgeSections } from "./knowledge-sections.ts";
import { sourcesOf } from "./sources-of.ts";

const SECTIONS = knowledgeSections([
  {
    path: "knowledge/prices.md",
    text: "# Prices\nThe Team plan costs 29 euros a month per person. The Business plan costs 59 euros a month.\n## Discounts\n- Clubs pay 20 % less.\n- Schools do not pay for the first 3 months.\n",
  },
  { path: "knowledge/data.md", text: "# Export\nA page has at most 100 sessions." },
]);
const sources = (sentence: string, language = "en"): string[] =>
  sourcesOf(sentence, language, SECTIONS).map(({ name }) => name);

test("names the section that has a sentence's facts, in other words too", () => {
  expect(sources("The Team plan is 29 euros per person each month.")).toEqual(["prices.md#Prices"]);
  expect(sources("Clubs pay 20 % less.")).toEqual(["prices.md#Prices > Discounts"]);
  expect(sources("You get up to one hundred sessions a page.")).toEqual(["data.md#Export"]);
});

test("names none where only some of the facts stand, or stand for something else", () => {
  expect(sources("The Team plan costs 59 euros a month.")).toEqual([]);
  expect(sources("The Team plan costs 31 euros a month.")).toEqual([]);
  expect(sources("A page of the export has at most 100 columns.")).toEqual([]);
  expect(sources("You can keep up to 100 horses in a stable.")).toEqual([]);
});

test("names none for the opposite", () => {
  expect(sources("Clubs do not pay 20 % less.")).toEqual([]);
  expect(sources("Schools pay for the first 3 months.")).toEqual([]);
  expect(sources("Schools don't pay for the first 3 months.")).toHaveLength(1);
  expect(sources("No schools do not pay for the first 3 months.")).toEqual([]);
});

test("names none where another thing is denied, named or called", () => {
  const lines = (sentence: string): number =>
    sourcesOf(
      sentence,
      "en",
      knowledgeSections([
        {
          path: "knowledge/api.md",
          text: "# Export\nA call of read() returns 100 rows of the Team space, but never including deleted ones.",
        },
      ]),
    ).length;
  expect(
    lines("A call of read() returns 100 rows of the Team space, never including deleted ones."),
  ).toBe(1);
  expect(
    lines("A call of read() does not return 100 rows of the Team space, including deleted ones."),
  ).toBe(0);
  expect(
    lines("A call of read() returns 100 rows of the Mail space, never including deleted ones."),
  ).toBe(0);
  expect(
    lines("A call of list() returns 100 rows of the Team space, never including deleted ones."),
  ).toBe(0);
  expect(lines("100 rows by default.")).toBe(0);
});

test("names none for a sentence without facts", () => {
  expect(sources("That is a good question, and I like it.")).toEqual([]);
  expect(sources("29?")).toEqual([]);
});
