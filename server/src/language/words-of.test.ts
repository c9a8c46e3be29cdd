import type { Words } from "@svc/contract/types";
import { expect, test } from "vitest";
import { builtInWords, directionOf, fillWords, longDate, wordsOf } from "./words-of.ts";

const ENGLISH = wordsOf([], "en");
const named = (language: string): Words => ({ ...ENGLISH, language });

test("a region reads its language, and an unknown language English", () => {
  expect(wordsOf([], "de-CH")).toBe(wordsOf([], "de"));
  expect(wordsOf([], "DE")).toBe(wordsOf([], "de"));
  expect(wordsOf([{ code: "fi" }], "fi")).toBe(ENGLISH);
  expect(builtInWords("fi")).toBeUndefined();
  expect(wordsOf([], "constructor")).toBe(ENGLISH);
});

test("an agent's own words come first, for exactly their language", () => {
  const words = named("pt-BR");
  const languages = [{ code: "de", words: named("de") }, { code: "pt-BR", words }, { code: "en" }];
  expect(wordsOf(languages, "pt-BR")).toEqual(words);
  expect(wordsOf(languages, "de")).toEqual(languages[0]!.words);
  expect(wordsOf(languages, "pt")).toBe(ENGLISH);
});

test("words of before a text was added are completed with ours", () => {
  const { call, ...rest } = named("pt-BR");
  const { end: _, ...before } = { ...call, talk: "Falar" };
  const words = { ...rest, call: before } as Words;
  const found = wordsOf([{ code: "pt-BR", words }], "pt-BR").call;
  expect([found.end, found.talk]).toEqual([ENGLISH.call.end, "Falar"]);
});

test("placeholders are filled once, and what a value contains is left as it is", () => {
  const filled = fillWords("{name} shows {brand} to {nobody}.", { name: "{brand}", brand: "Svc" });
  expect(filled).toBe("{brand} shows Svc to {nobody}.");
});

test("dates are written in the language of the words", () => {
  const at = new Date("2026-11-15T23:30:00Z");
  expect(longDate(at, ENGLISH)).toBe("15 November 2026");
  expect(longDate(at, wordsOf([], "de-AT"))).toBe("15. November 2026");
});

test.each([
  ["rtl", ["ar", "ar-EG", "he", "fa", "ur", "ckb", "yi", "dv", "az-Arab", "pa-PK"]],
  ["ltr", ["en", "de-CH", "ja", "az", "pa", "pt-BR", "uz"]],
])("%s is read so", (direction, codes) => {
  expect(codes.filter((code) => directionOf(named(code)) !== direction)).toEqual([]);
});
