import { expect, test } from "vitest";
import { languageOf } from "./language-of.ts";
import { wordsOf } from "./words-of.ts";

test.each([
  ["en", "We are a small team and would like to know what it does."],
  ["de", "Wir sind ein kleines Team und möchten wissen, was das kostet."],
  ["fr", "Nous sommes une petite équipe et c’est un peu cher pour nous."],
  ["es", "Somos un equipo pequeño y no tenemos mucho tiempo para esto."],
  [undefined, "Okay."],
])("%s: %s", (language, text) => {
  expect(languageOf(wordsOf(text))).toBe(language);
});
