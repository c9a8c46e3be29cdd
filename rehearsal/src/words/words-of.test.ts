import fc from "fast-check";
import { expect, test } from "vitest";
import { isQuestion, languageOf, sentences, wordsOf } from "./words-of.ts";

test.each([
  ["en", "We are a small team and would like to know what it does."],
  ["de", "Wir sind ein kleines Team und möchten wissen, was das kostet."],
  ["fr", "Nous sommes une petite équipe et c’est un peu cher pour nous."],
  ["es", "Somos un equipo pequeño y no tenemos mucho tiempo para esto."],
  [undefined, "Okay."],
])("%s: %s", (language, text) => {
  expect(languageOf(wordsOf(text))).toBe(language);
});

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
