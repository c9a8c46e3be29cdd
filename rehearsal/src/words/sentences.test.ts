import fc from "fast-check";
import { expect, test } from "vitest";
import { isQuestion, sentences } from "./sentences.ts";

test("a text is cut where sentences end, not at every dot", () => {
  expect(sentences("It costs 9.50 at example.com. “Really?” Yes! ¿Cuánto cuesta?  Wait…")).toEqual([
    "It costs 9.50 at example.com.",
    "“Really?”",
    "Yes!",
    "¿Cuánto cuesta?",
    "Wait…",
  ]);
});

test("a question ends in a question mark, also inside quotation marks", () => {
  expect(sentences("“Really?” Yes. Quoi ? 何ですか？").map(isQuestion)).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test("a long sentence is cut at a word", () => {
  const [cut] = sentences("word ".repeat(100));
  expect(cut).toMatch(/^(word )+word$/);
  expect(cut!.length).toBeLessThanOrEqual(240);
});

test("every sentence stands in the text as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(sentences(text).every((sentence) => text.includes(sentence))).toBe(true);
    }),
  );
});
