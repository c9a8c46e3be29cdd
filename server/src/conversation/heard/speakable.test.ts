import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { speakable } from "./speakable.ts";

function spoken(sentence: string, language: string): string {
  return speakable(sentence, language)
    .map((piece) => piece.spoken)
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const EXAMPLES: [language: string, written: string, said: string][] = [
  ["en", "It is $29.", "It is 29 dollars."],
  ["en", "From $1 to $29.90, or $0.05.", "From 1 dollar to 29 dollars and 90 cents, or 5 cents."],
  ["en", "It costs $29/user/mo.", "It costs 29 dollars per user per month."],
  ["en", "Between $10–$20 or 10-20 €", "Between 10 to 20 dollars or 10 to 20 euros"],
  ["en", "They raised $1.5M, not $12,000.", "They raised 1.5 million dollars, not 12,000 dollars."],
  ["en", "We saved $1,200 and £3 billion", "We saved 1200 dollars and 3 billion pounds"],
  ["en", "Write to sales@acme.com.", "Write to sales at acme dot com."],
  ["en", "See https://www.acme.com/x?utm=1!", "See acme dot com slash x!"],
  ["en", "Go to acme.com/pricing, please", "Go to acme dot com slash pricing, please"],
  ["en", "We are here 24/7, in 3-4 weeks, #1!", "We are here 24 7, in 3 to 4 weeks, number 1!"],
  ["en", "99.9% of 5–10 %", "99.9 percent of 5 to 10 percent"],
  ["en", "On 2026-11-15 at 9:30 or 9:00", "On November 15, 2026 at 9 30 or 9 o'clock"],
  ["en", "Call +1 (555) 123-4567.", "Call plus 1, 5 5 5, 1 2 3, 4 5 6 7."],
  ["en", "**Great** 🎉 _news_ `code`", "Great news code"],
  ["en", "[Our site](https://acme.com/a) helps", "Our site helps"],
  ["de", "Das kostet 29,90 € pro Monat.", "Das kostet 29 Euro 90 pro Monat."],
  [
    "de",
    "Ab 1.200 €/Monat, 0,05 € oder 2,5 Mio. €",
    "Ab 1200 Euro pro Monat, 5 Cent oder 2,5 Millionen Euro",
  ],
  [
    "de",
    "Schreiben Sie an info@acme-shop.de.",
    "Schreiben Sie an info ät acme Minus shop Punkt de.",
  ],
  ["de", "Am 15.11.2026 um 14:30 Uhr, 9:00 Uhr", "Am 15. November 2026 um 14 Uhr 30, 9 Uhr"],
  ["de", "15 % in 3–4 Wochen", "15 Prozent in 3 bis 4 Wochen"],
  ["de", "Telefon 030 1234567", "Telefon 0 3 0, 1 2 3 4 5 6 7"],
  ["fr", "Dès 29,90 €, 10 M€ ou 1 200 €.", "Dès 29 euros 90, 10 millions d'euros ou 1200 euros."],
  ["fr", "À 14h30, 15 % le 3/12/2026", "À 14 heures 30, 15 pour cent le 3 décembre 2026"],
  ["fr", "Appelez le 01 23 45 67 89", "Appelez le 01, 23, 45, 67, 89"],
  ["fr", "contact@acme.fr", "contact arobase acme point fr"],
  ["es", "Cuesta 29,90 € o 12.000 $ al año", "Cuesta 29 euros con 90 o 12.000 dólares al año"],
  ["es", "ventas@acme.es, 15 %, 24/7", "ventas arroba acme punto es, 15 por ciento, 24 7"],
  ["ja", "詳細は https://www.acme.com/x です🎉", "詳細は acme.com/x です"],
];

describe("a sentence", () => {
  it.each(EXAMPLES)("in %s: %s", (language, written, said) => {
    expect(spoken(written, language)).toBe(said);
    expect(spoken(said, language)).toBe(said);
  });

  it.each([
    "In 2026 we won 3-1 with Node.js v2.0, e.g. 1,000 users.",
    "Don't use a 16:9 ratio or A/B tests; the R&D team (all 12) agreed.",
    "Sie zahlen 1.000 Euro, z. B. am 3. Mai.",
  ])("stays as it is where voices read it right: %s", (sentence) => {
    for (const language of ["en", "de", "fr", "es", "pt"])
      expect(speakable(sentence, language)).toEqual([{ written: sentence, spoken: sentence }]);
  });

  it("is heard by its pieces", () => {
    expect(speakable("For $29 a month 🎉", "en")).toEqual([
      { written: "For ", spoken: "For " },
      { written: "$29", spoken: "29 dollars" },
      { written: " a month ", spoken: " a month " },
      { written: "🎉", spoken: "" },
    ]);
  });
});

describe("whatever is written", () => {
  const sign = fc.constantFrom(
    ..."$€%/.,-–:@#+()[]*_`~ 0123456789".split(""),
    "https://",
    "www.",
    "🎉",
    "1️⃣",
    "a",
    "x",
    "com",
    "M",
    "\uD83D",
    "👩🏽‍💻",
    "€/",
    "@a.de",
  );
  const text = fc.oneof(
    fc.array(sign, { maxLength: 25 }).map((signs) => signs.join("")),
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom(...EXAMPLES.map(([, written]) => written)))
      .map((all) => all.join(" ")),
  );
  const language = fc.constantFrom("en", "de-AT", "fr", "es", "ja", "");

  it("keeps the text, and says neither emoji nor schemes", () => {
    fc.assert(
      fc.property(text, language, (sentence, code) => {
        const pieces = speakable(sentence, code);
        expect(pieces.map((piece) => piece.written).join("")).toBe(sentence);
        expect(spoken(sentence, code)).not.toMatch(/\p{Extended_Pictographic}|[a-z]:\/\//iu);
      }),
      { numRuns: 3_000 },
    );
  });

  it("leaves plain words alone", () => {
    const words = fc.array(fc.stringMatching(/^\p{L}+[,.!?]?$/u), { maxLength: 12 });
    fc.assert(
      fc.property(words, language, (all, code) => {
        const sentence = all.join(" ");
        expect(spoken(sentence, code)).toBe(sentence);
      }),
    );
  });

  it("is read in time, also where a model does not stop", () => {
    // S10
    const startedAt = performance.now();
    for (const part of [
      "1",
      "a",
      "a.",
      "1,",
      "1 ",
      "$1-",
      "[",
      "@",
      "/",
      "0 1",
      "+1 ",
      "1:",
      "_",
      "www.a.",
      " 000",
    ])
      for (const code of ["en", "fr"]) speakable(part.repeat(2_000), code);
    // A second on a quiet machine. A pattern that backtracks would take minutes.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
