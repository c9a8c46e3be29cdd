import { expect, it } from "vitest";
import { fits, inWords } from "./wording.ts";

const wording = (says: string[], never: string[] = []) => ({ says, never });

it.each([
  ["12|twelve", "Twelve people", true],
  ["12|twelve", "120 people", false],
  ["next month", "Next, month by month", true],
  ["next month", "next week, a month", false],
  ["swap*", "Swapping shifts", true],
  ["swap*", "a miniswap", false],
  ["Zoë", "ZOE", true],
  ["3.000", "3 000 metros", true],
  ["ja", "Jahr", false],
])("looks for %s in %s", (entry, text, found) => {
  expect(fits(wording([entry]), text)).toBe(found);
});

it("wants every entry, and none of those that must not be said", () => {
  const both = wording(["Excel", "WhatsApp"], ["20"]);
  expect(fits(both, "Excel and WhatsApp")).toBe(true);
  expect(fits(both, "Excel")).toBe(false);
  expect(fits(both, "Excel, WhatsApp, 20 people")).toBe(false);
});

it("takes no text for no wording only", () => {
  expect(fits(undefined, undefined)).toBe(true);
  expect(fits(undefined, "text")).toBe(false);
  expect(fits(wording(["text"]), undefined)).toBe(false);
});

it("says what it looks for", () => {
  expect(inWords(wording(["12|twelve"], ["20"]))).toBe('"12|twelve", never "20"');
  expect(inWords(undefined)).toBe("nothing");
});
