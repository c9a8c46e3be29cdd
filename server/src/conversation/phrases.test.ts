import { expect, test } from "vitest";
import { phrases } from "./phrases.ts";
import { wordCount } from "#language";

const LANGUAGES = ["en", "de", "fr", "es"];

test("every language has its own, short enough to be spoken", () => {
  const all = LANGUAGES.flatMap((language) => {
    const { greeting, ...rest } = phrases(language);
    return [greeting("Linden", "Svc"), ...Object.values(rest)];
  });
  expect(new Set(all).size).toBe(all.length);
  expect(Math.max(...all.map(wordCount))).toBeLessThan(30);
});

test("a region speaks its language, and an unknown language English", () => {
  expect(phrases("de-CH")).toBe(phrases("de"));
  expect(phrases("fi")).toBe(phrases("en"));
});

test("nothing behind the greeting asks", () => {
  for (const language of LANGUAGES) {
    const { greeting: _, ...rest } = phrases(language);
    expect(Object.values(rest).join()).not.toContain("?");
  }
});
