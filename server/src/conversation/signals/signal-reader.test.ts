import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SignalReader } from "./signal-reader.ts";
import type { SignalledSentence } from "./signal-reader.ts";

function read(
  text: string,
  pieces: number[] = [text.length],
  language = "en",
): SignalledSentence[] {
  const reader = new SignalReader(language);
  const sentences: SignalledSentence[] = [];
  let at = 0;
  for (const length of pieces) sentences.push(...reader.push(text.slice(at, (at += length))));
  return [...sentences, ...reader.push(text.slice(at)), ...reader.end()];
}

const spoken = (sentences: SignalledSentence[]): string =>
  sentences
    .map(({ text }) => text)
    .filter((text) => text !== "")
    .join(" ");

const signals = (sentences: SignalledSentence[]): string[] =>
  sentences.flatMap(({ text, directions }) =>
    directions.map(
      ({ name, value, at }) => `${name} ${value}|${text.slice(at).trim().split(" ")[0]}`,
    ),
  );

describe("a direction", () => {
  const REPLY =
    "⟦got team_size: around 40 people⟧ For forty people it is Team. ⟦show prices⟧Here are ⟦= 12*19⟧ the plans. ⟦ask timeline⟧ When would you like to start? ⟦bye⟧";
  const SIGNALS = [
    "got team_size: around 40 people|For",
    "show prices|Here",
    "= 12*19|the",
    "ask timeline|When",
    "bye |",
  ];

  test("belongs to the next word, and the last one to the end", () => {
    expect(spoken(read(REPLY))).toBe(
      "For forty people it is Team. Here are the plans. When would you like to start?",
    );
    expect(signals(read(REPLY))).toEqual(SIGNALS);
  });

  test("may have a colon or quotation marks that nobody asked for", () => {
    expect(signals(read('⟦show: prices⟧⟦show "tour"⟧Here.'))).toEqual([
      "show prices|Here.",
      "show tour|Here.",
    ]);
  });

  test("is the same however the text comes in pieces", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 80 }), (pieces) => {
        expect(signals(read(REPLY, pieces))).toEqual(SIGNALS);
        expect(spoken(read(REPLY, pieces))).toBe(spoken(read(REPLY)));
      }),
    );
  });

  test("belongs to the next sentence where a language has no spaces", () => {
    const sentences = read("はい。⟦show prices⟧こちらです。⟦bye⟧失礼します。", [3, 4, 5], "ja");
    expect(sentences.map(({ text }) => text)).toEqual(["はい。", "こちらです。", "失礼します。"]);
    expect(sentences.map(({ directions }) => directions.map(({ name }) => name))).toEqual([
      [],
      ["show"],
      ["bye"],
    ]);
  });
});

describe("never spoken, and no direction, is", () => {
  test.each([
    ["an unknown one", "Yes. ⟦delete all⟧ Good.", "Yes. Good."],
    ["one without what it needs", "Yes. ⟦show⟧ Good.", "Yes. Good."],
    ["one with too much", "Yes. ⟦bye now⟧ Good.", "Yes. Good."],
    ["a nested one", "Yes. ⟦got a: ⟦bye⟧ x⟧ Good.", "Yes. Good."],
    ["one that is never closed", "Yes. ⟦show prices and so on\nGood.", "Yes. Good."],
    ["one that ends the text", "Yes. ⟦show pri", "Yes."],
    ["a mark that was escaped", "You wrote [[bye]] there.", "You wrote there."],
    ["a stray end", "Yes ⟧ good </think> so.", "Yes good so."],
    ["a stray end before a mark", "Yes </think>⟦bye now⟧ good.", "Yes good."],
    ["a thought", "<think>He is rich. ⟦bye⟧</think>Welcome.", "Welcome."],
    ["a thought without end", "Welcome. <think>He is rich.", "Welcome."],
    ["a call in a model's own notation", 'Yes. <tool_call>{"name":"x"}</tool_call>', "Yes."],
    ["what the server told", 'Yes. [state 4f9c2a]\n{"date":"2026-11-16"}\n', "Yes."],
    ["another notation", 'Yes. [TOOL_CALLS][{"name":"x"}]', "Yes."],
  ])("%s", (_, text, wanted) => {
    for (const size of [1, 3, 7, text.length]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, () => size);
      expect(spoken(read(text, pieces)).replaceAll(/\s+/g, " ")).toBe(wanted);
      expect(signals(read(text, pieces))).toEqual([]);
    }
  });
});

test("what is no mark is spoken to the letter", () => {
  const text = "If a < b, write a[0] <b> or [T] and 5 <= 7.";
  for (const size of [1, 4]) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, () => size);
    expect(spoken(read(text, pieces))).toBe(text);
  }
});
