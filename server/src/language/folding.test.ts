import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold, hasWords, spokenWordCount } from "./folding.ts";

describe("folding", () => {
  it.each([
    ["Hello,  WORLD!", "hello world"],
    ["it’s", "it's"],
    ["follow-up", "Follow up"],
    ["Straße", "STRASSE"],
    ["ΟΔΟΣ οδός", "οδος οδόσ"],
    ["ﬁne Ｔｅｘｔ", "fine text"],
    ["cafe\u0301", "café"],
    ["soft\u00ADware \u200Bfor\u202E all", "software for all"],
    ["👍 great ❤️ stuff", "great stuff"],
    ["１２ ㎏", "12 kg"],
  ])("makes %j and %j the same", (one, other) => {
    expect(fold(one)).toBe(fold(other));
  });

  it.each([
    ["resume", "résumé"],
    ["12", "120"],
    ["its", "it's"],
    ["we're", "were"],
  ])("keeps %j and %j apart", (one, other) => {
    expect(fold(one)).not.toBe(fold(other));
  });

  it("takes every character for a word where a script has no spaces", () => {
    expect(fold("我们有25个人。")).toBe(" 我 们 有 25 个 人 ");
    expect(fold("SAPを使う")).toBe(" sap を 使 う ");
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(fold(fold(text)).trim()).toBe(fold(text).trim());
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("counting words", () => {
  it.each([
    ["we are twelve", true],
    ["twelve people", false],
    ["don't know", false],
    ["quatre-vingt-dix euros", true],
    ["twenty – five", false],
    ["ada@example.org about", false],
    ["yes — no", false],
    ["… ? !", false],
    ["我们有二十五个人", true],
    ["好的", false],
    ["", false],
  ])("finds three in %j: %j", (text, has) => {
    expect(hasWords(text, 3)).toBe(has);
  });
});

it("counts words where a script has no spaces too", () => {
  expect(spokenWordCount("It's 24/7, really.")).toBe(3);
  expect(spokenWordCount("料金は月額です。")).toBe(4);
  expect(spokenWordCount("Plus は 9,800円")).toBe(3);
});
