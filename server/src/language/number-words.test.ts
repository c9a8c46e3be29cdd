import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numbersIn, readable } from "./numbers.ts";
import { spellOutsOf } from "./spell-out.ts";

const LANGUAGES =
  "de en fr es it nl pt pl sv tr ja zh ko da nb fi cs sk sl hu ro bg el ru uk et lv lt ca id vi th hi ar he fa".split(
    " ",
  );

describe("numbers in words are read back", () => {
  it.each(LANGUAGES)("in %s, as the Unicode CLDR spells them", (language) => {
    const spellings = spellOutsOf(language)!.cardinals;
    const values = fc.oneof(
      fc.nat(10_000),
      fc.integer({ min: 1, max: 999 }).map((count) => count * 1_000),
      fc.integer({ min: 1, max: 99 }).map((count) => count * 1_000_000),
    );
    fc.assert(
      fc.property(values, fc.nat(), (value, choice) => {
        const words = spellings[choice % Math.min(2, spellings.length)]!(value);
        fc.pre(!/\d/.test(words));
        const found = numbersIn(readable(`: ${words}.`), language);
        expect(found.map(({ keys }) => keys[0])).toEqual([String(value)]);
      }),
      { numRuns: 300 },
    );
  });
});

function read(text: string, language: string): string[] {
  return numbersIn(readable(text), language).map(({ keys }) => keys.join("|"));
}

describe("numbers in words", () => {
  it.each([
    [
      "de",
      "zweitausendfünfhundert, dreissig, fünfzehnhundert, hunderttausend",
      ["2500", "30", "1500", "100000"],
    ],
    ["de", "zweieinhalbtausend", ["2500"]],
    ["en", "twelve hundred, a hundred and five, two point five", ["1200", "105", "2.5"]],
    ["en", "one hundred and more", ["100"]],
    ["en-IN", "5 lakh, two lakh, 1,00,000", ["500000", "200000", "100000"]],
    ["fr-CH", "septante-deux", ["72"]],
    ["es-419", "treinta y cinco", ["35"]],
    ["nl", "vijfentwintig, anderhalfduizend", ["25", "1500"]],
    ["it", "milleduecento, centotré, se i clienti, ottobre", ["1200", "103"]],
    [
      "fr",
      "quatre-vingt-dix, quatre vingt mille, une soixantaine, central",
      ["90", "80000", "1", "60"],
    ],
    ["es", "treinta y cinco, veintidos, una quincena, la ciencia", ["35", "22", "1", "15"]],
    ["pt", "mil e duzentos, 5 mil", ["1200", "5000"]],
    ["tr", "on iki bin beş yüz, yirmiye", ["12500", "20"]],
    ["ja", "二千五百、3万5千円", ["2500", "35000"]],
    ["ko", "이십만 원, 12만원", ["200000", "120000"]],
    ["de", "ich bin es, sei still", []],
  ])("%s: %s", (language, text, found) => {
    expect(read(text, language)).toEqual(found);
  });

  it("may be parts of other words in a script without spaces", () => {
    const bare = (text: string): boolean[] => numbersIn(text, "ja").map(({ isBare }) => isBare);
    expect(bare("一緒に、十分です")).toEqual([true, true]);
    expect(bare("三、二千五百")).toEqual([false, false]);
  });

  it("are ambiguous only where the signs are", () => {
    expect(read("1.200", "de")).toEqual(["1200"]);
    expect(read("1.200", "en")).toEqual(["1200|1.2"]);
    expect(read("1,20", "en")).toEqual(["1.2"]);
  });
});
