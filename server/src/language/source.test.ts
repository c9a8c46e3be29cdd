import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold } from "./folding.ts";
import { Source } from "./source.ts";

function excerpt(text: string, quote: string): string {
  return new Source(text).excerpt(quote);
}

describe("an excerpt", () => {
  it.each([
    ["We have 25 people. Fine?", "WE have, 25 people", "We have 25 people."],
    ["It’s about $1,200 (a year).", "about 1 200 a YEAR", "about $1,200 (a year)."],
    ["In der Straße, 5 %!", "der STRASSE 5", "der Straße, 5"],
    ["cafe\u0301 and ﬁsh", "CAFÉ and fish", "cafe\u0301 and ﬁsh"],
    ["我们有25个人，对吗？", "有 25 个人", "有25个人，"],
    ["one two one two three", "one two three", "one two three"],
    ["half: ½ of it", "2 of it", "½ of it"],
  ])("of %j for %j is %j", (text, quote, words) => {
    expect(excerpt(text, quote)).toBe(words);
  });

  it("is the quote itself where it is not found", () => {
    expect(excerpt("We have 25 people.", "we have 26")).toBe("we have 26");
  });

  it("stands in the text and folds to the quote, or at least to more of the same", () => {
    const text = fc.array(
      fc.oneof(fc.lorem({ maxCount: 3 }), fc.string({ unit: "binary", maxLength: 8 })),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (parts, from, length) => {
        const whole = parts.join(" ");
        const words = fold(whole).trim().split(" ");
        const start = from % words.length;
        const quote = words.slice(start, start + 1 + (length % 5)).join(" ");
        fc.pre(quote !== "");
        const found = excerpt(whole, quote);
        expect(found === quote || whole.includes(found)).toBe(true);
        expect(fold(found)).toContain(fold(quote).trim());
      }),
    );
  });
});
