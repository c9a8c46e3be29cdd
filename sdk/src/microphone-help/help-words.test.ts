import { describe, expect, test } from "vitest";
import { strings as de } from "../strings/de.ts";
import { strings as en } from "../strings/en.ts";
import { strings as es } from "../strings/es.ts";
import { strings as fr } from "../strings/fr.ts";
import { helpWords } from "./help-words.ts";
import { isFinal } from "./microphone-problem.ts";
import type { MicrophoneProblem } from "./microphone-problem.ts";

// V6
describe.each(Object.entries({ en, de, es, fr }))("in %s", (language, { talk }) => {
  const { problems, allowed } = helpWords(language);

  test("who can talk after all is told to press the button that is there", () => {
    for (const [problem, [, text]] of Object.entries(problems)) {
      expect(text.includes(talk), problem).toBe(!isFinal(problem as MicrophoneProblem));
    }
    expect(allowed[1]).toContain(talk);
  });

  test("every problem says something of its own", () => {
    const texts = Object.values(problems).map(([, text]) => text);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

test("other languages read English", () => {
  expect(helpWords("pt-BR")).toBe(helpWords("en"));
  expect(helpWords("de-AT")).toBe(helpWords("de"));
});
