import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sentencesOf } from "./sentences.ts";

describe("sentences", () => {
  it.each([
    ["en", "One. Two! Three?", ["One.", "Two!", "Three?"]],
    [
      "en",
      "She met Dr. Ruiz. It cost 3.5 million, e.g. Less.",
      ["She met Dr. Ruiz.", "It cost 3.5 million, e.g. Less."],
    ],
    ["en", '"Yes!" he said. Fine.', ['"Yes!" he said.', "Fine."]],
    ["de", "Das ist z. B. Öl. Gut.", ["Das ist z. B. Öl.", "Gut."]],
    ["ja", "今日は良い。明日は雨。", ["今日は良い。", "明日は雨。"]],
  ])("%s: %s", (language, text, sentences) => {
    expect(sentencesOf(text, language).map((sentence) => sentence.trim())).toEqual(sentences);
  });

  it("are together the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(sentencesOf(text, "en").join("")).toBe(text);
      }),
    );
  });
});
