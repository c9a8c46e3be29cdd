import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { endsInQuestion, SentenceCutter, sentencesOf } from "./sentences.ts";

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
    ["it", "Una data non c'è. Nulla lo esclude.", ["Una data non c'è.", "Nulla lo esclude."]],
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

function cut(pieces: string[], language = "en"): string[] {
  const cutter = new SentenceCutter(language);
  return [...pieces.flatMap((piece) => cutter.push(piece)), ...cutter.end()];
}

describe("a text that is still being written", () => {
  it("gives a sentence away when the next one has begun", () => {
    const cutter = new SentenceCutter("en");
    expect(cutter.push("It runs on ")).toEqual([]);
    expect(cutter.push("your site.")).toEqual([]);
    expect(cutter.push(" ")).toEqual([]);
    expect(cutter.push("Shall")).toEqual(["It runs on your site."]);
    expect(cutter.end()).toEqual(["Shall"]);
    expect(cutter.end()).toEqual([]);
  });

  it.each([
    ["en", "Dr. Ruiz takes approx. 3 weeks. Is that fine?", 2],
    ["de", "Das geht z. B. mit Öl. Passt das?", 2],
    ["fr", "C'est simple ! Voulez-vous le voir ?", 2],
    ["es", "¡Claro! ¿Lo quiere ver?", 2],
    ["en", "It costs 3.50 on example.com today.", 1],
  ])("knows what ends one: %s %s", (language, text, count) => {
    expect(cut(text.split(""), language)).toHaveLength(count);
  });

  it("is cut alike however the pieces come, and nothing is lost", () => {
    const word = fc.constantFrom("we", "Svc", "Dr.", "3", "e.g.", "(and", "so)", "ja", "Öl", "x");
    const mark = fc.constantFrom(" ", ". ", "! ", "? ", "… ", ".\n", ", ", ': "');
    const texts = fc
      .array(fc.tuple(word, mark), { maxLength: 20 })
      .map((words) => words.flat().join(""));
    const widths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(texts, widths, (text, sizes) => {
        const pieces: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          pieces.push(text.slice(at, (at += size)));
        }
        const whole = sentencesOf(text, "en").map((sentence) => sentence.trim());
        expect(cut(pieces).join(" ").replaceAll(/\s+/g, "")).toBe(text.replaceAll(/\s+/g, ""));
        expect(cut(pieces)).toEqual(whole.filter((sentence) => sentence !== ""));
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  ["When do you start?", true],
  ["いつ始めますか。", true],
  ["「よろしいでしょうか」", true],
  ["你们什么时候开始？", true],
  ["您喜欢吗。", true],
  ["そうですか。", false],
  ["確かです。", false],
  ["静かな朝。", false],
])("%s asks: %s", (text, asks) => {
  expect(endsInQuestion(text)).toBe(asks);
});
