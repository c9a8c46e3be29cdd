import { describe, expect, it } from "vitest";
import { numberKeysIn } from "./numbers.ts";

function numbers(text: string, language = "en"): string[] {
  return numberKeysIn(text, language).map(({ keys }) => keys.join("|"));
}

it("are found whatever nobody sees stands between their letters", () => {
  expect(numbers("two\u00A0 hundred  and sixty")).toEqual(["260"]);
  expect(numbers("sieb\u00ADentausend", "de")).toEqual(["7000"]);
});

describe("numbers in digits", () => {
  it.each([
    ["1,000 / 1.000 / 1'000", ["1000", "1000", "1000"]],
    ["50 000 euros", ["50000"]],
    ["1,234.56 or 1.234,56", ["1234.56", "1234.56"]],
    ["3.5 and 3,50 and 0.125", ["3.5", "3.5", "0.125"]],
    ["25k, 1.5 million, 2M", ["25000", "1500000", "2000000"]],
    ["007", ["7"]],
    ["10am, the 3rd, 24/7, 5-10%", ["10", "3", "24", "7", "5", "10"]],
    ["２５ ٢٥ २५ ²", ["25", "25", "25", "2"]],
    ["12345678901234567890", ["12345678901234567890"]],
    ["B2B, v2 and Q3", []],
  ])("%j are %j", (text, found) => {
    expect(numbers(text)).toEqual(found);
  });

  it("may be a day, a month and a year", () => {
    expect(numbers("2026-03-12")).toEqual(["2026", "3|month:3", "12|month:12"]);
    expect(numbers("31.03.2026")).toEqual(["31", "3|month:3", "2026"]);
  });
});

describe("numbers in words", () => {
  it.each([
    ["en", "twelve, twenty-five, two hundred and fifty, forty thousand", [12, 25, 250, 40_000]],
    ["en", "a thousand. One million two", [1_000, 1_000_002]],
    ["de", "zwölf, fünfundzwanzig, hundertsechzig, dreihundertelf", [12, 25, 160, 311]],
    ["de", "fünftausend, zweitausendfünfhundert, drei Millionen", [5_000, 2_500, 3_000_000]],
    ["fr", "douze, vingt et un, soixante-douze, dix-sept", [12, 21, 72, 17]],
    ["fr", "quatre-vingts, quatre-vingt-dix-neuf, trois cents, deux mille", [80, 99, 300, 2_000]],
    ["es", "doce, veintidós, treinta y cinco", [12, 22, 35]],
    ["es", "doscientos cincuenta, tres mil, ciento una mil", [250, 3_000, 101_000]],
  ])("%s: %s", (language, text, found) => {
    expect(numbers(text, language)).toEqual(found.map(String));
  });

  it("end at a sign: a correction is no sum", () => {
    expect(numbers("twenty, five")).toEqual(["20", "5"]);
    expect(numbers("No, twelve, not twenty")).toEqual(["12", "20"]);
    expect(numbers("one two three")).toEqual(["1", "2", "3"]);
  });

  it("are of the language that is asked for", () => {
    expect(numbers("once", "es")).toEqual(["11"]);
    expect(numbers("once", "en")).toEqual([]);
    expect(numbers("twelve", "it")).toEqual([]);
  });

  it("say nothing certain as zero or one", () => {
    const loose = (text: string): boolean[] =>
      numberKeysIn(text, "en").map(({ isLoose }) => isLoose);
    expect(loose("one of them, or none of zero")).toEqual([true, true]);
    expect(loose("1, two, one hundred")).toEqual([false, false, false]);
  });
});
