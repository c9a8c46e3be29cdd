import { describe, expect, test } from "vitest";
import { strings as de } from "../strings/de.ts";
import { strings as en } from "../strings/en.ts";
import { strings as es } from "../strings/es.ts";
import { strings as fr } from "../strings/fr.ts";
import { ladderWords } from "./help-words.ts";
import { isFinal } from "./microphone-problem.ts";
import type { Rung } from "./microphone-problem.ts";

// V6
describe.each(Object.entries({ en, de, es, fr }))("in %s", (language, { talk }) => {
  const { rungs, allowed } = ladderWords(language);

  test("who can talk after all is told to press the button that is there", () => {
    for (const [rung, [, text]] of Object.entries(rungs)) {
      expect(text.includes(talk), rung).toBe(!isFinal(rung as Rung));
    }
    expect(allowed[1]).toContain(talk);
  });

  test("every rung says something of its own", () => {
    const texts = Object.values(rungs).map(([, text]) => text);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

test("other languages read English", () => {
  expect(ladderWords("pt-BR")).toBe(ladderWords("en"));
  expect(ladderWords("de-AT")).toBe(ladderWords("de"));
});
