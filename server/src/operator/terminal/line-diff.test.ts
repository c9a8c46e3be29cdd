import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineDiff } from "./line-diff.ts";

const shown = (from: string, to: string): string[] =>
  lineDiff(from, to).map(({ sign, text }) => `${sign}${text}`);

describe("a comparison line by line", () => {
  it("shows what differs with one line around it, and stands in for the rest", () => {
    expect(shown("1\n2\n3\n4\n5\n6\n7\n8", "1\n2\n3\nfour\n5\n6\n7\n8")).toEqual([
      "…",
      " 3",
      "-4",
      "+four",
      " 5",
      "…",
    ]);
  });

  it("shows added and removed lines where they are", () => {
    expect(shown("a\nb", "a\nx\nb")).toEqual([" a", "+x", " b"]);
    expect(shown("a\nx\nb", "a\nb")).toEqual([" a", "-x", " b"]);
  });

  it("tells the truth about any two texts", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(text, text, (from, to) => {
        const lines = lineDiff(from.join("\n"), to.join("\n"));
        const only = (...signs: string[]): string[] =>
          lines.filter(({ sign }) => signs.includes(sign)).map((line) => line.text);
        expect(isWithin(only("-", " "), from)).toBe(true);
        expect(isWithin(only("+", " "), to)).toBe(true);
        expect(only("-").length - only("+").length).toBe(from.length - to.length);
        expect(only("-", "+").length === 0).toBe(from.join() === to.join());
      }),
    );
  });

  it("gives up on the smallest difference where that would take too long", () => {
    const from = Array.from({ length: 5_000 }, (_, n) => `a${n}`).join("\n");
    const to = Array.from({ length: 5_000 }, (_, n) => `b${n}`).join("\n");
    expect(lineDiff(from, to)).toHaveLength(10_000);
  });
});

/** All of these lines are among those, in the same order. */
function isWithin(some: string[], all: string[]): boolean {
  let next = 0;
  for (const line of all) if (line === some[next]) next++;
  return next === some.length;
}
