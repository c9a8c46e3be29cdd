import { calendarFrom } from "./calendar.ts";
import { describe, expect, it } from "vitest";
import { factsIn, figuresIn } from "./facts.ts";

/** The first form of each, as it is looked for. */
function facts(text: string, language = "en"): string[] {
  return factsIn(text, language).map(({ words, numbers }) => (words[0] ?? numbers[0])!.trim());
}

describe("facts", () => {
  it("are addresses, whole", () => {
    expect(facts("write to ada@example.com or see https://www.acme.example/a?b=2.")).toEqual([
      "ada example com",
      "acme example a b 2",
    ]);
    expect(facts("it runs on node.js, e.g. here; at 9 a.m.")).toEqual(["node js", "9"]);
    expect(facts("请看acme.example的页面", "zh")).toEqual(["acme example"]);
  });

  it("are letters in a row", () => {
    expect(facts("it says s e c r e t here")).toEqual(["s e c r e t"]);
    expect(facts("it says K-7-X or A.B.C")).toEqual(["a b c", "7"]);
    expect(facts("il n'y a pas, y a-t-il ?", "fr")).toEqual([]);
    expect(facts("plan a or b")).toEqual([]);
  });

  it("are months and days", () => {
    expect(facts("in March, on Tuesday")).toEqual(["month:3", "day:2"]);
    expect(facts("they may march on")).toEqual([]);
    expect(facts("im März, am Dienstag", "de")).toEqual(["month:3", "day:2"]);
    expect(facts("en mars, mardi", "fr")).toEqual(["month:3", "day:2"]);
    expect(facts("en marzo, el martes", "es")).toEqual(["month:3", "day:2"]);
  });

  it("are found in the plural, and as other forms of a word that only seems to be a name", () => {
    const forms = (text: string): string[] => factsIn(text, "en").flatMap(({ words }) => words);
    expect(forms("two CRMs and an OS").toSorted()).toEqual([" crm ", " crms ", " os "]);
    expect(forms("Vendors matter")).toEqual([" vendors ", " vendor ", " vendorss ", " vendo"]);
    expect(forms("they named Marta")).toEqual([" marta "]);
  });

  it("are codes of letters and digits", () => {
    expect(facts("a b2b plan on v2")).toEqual(["b2b", "v2"]);
  });
});

describe("names", () => {
  it.each([
    ["en", "the prospect met Ada from Acme at O'Hare", ["ada", "acme", "hare"]],
    ["en", "They use HubSpot, SAP and iTerm", ["hubspot", "sap", "iterm"]],
    ["en", "Kelly wants a demo. Globex too", ["kelly", "globex"]],
    ["en", "The Agent, an AI, and Mr Ito", ["ito"]],
    ["en", "Onboarding is slow: Integration takes long", []],
    [
      "fr",
      "Elle vient de Lyon. L'équipe d'Amélie. Sophie veut changer",
      ["lyon", "amélie", "sophie"],
    ],
    ["es", "Trabaja en Soria. ¿Y Begoña? Preguntó por el precio", ["soria", "begoña"]],
    ["it", "Domani parla con Giulia", ["giulia"]],
  ])("%s: %s", (language, text, names) => {
    expect(facts(text, language)).toEqual(names);
  });

  // Every noun has a capital there.
  it.each([
    ["Der Kessel steht im Keller, das Dach ist neu", []],
    ["Ada Okafor fragt", ["ada", "okafor"]],
    ["sie fragt Ada Okafor", ["ada", "okafor"]],
    ["Sabine Krause fragt", ["krause"]],
    ["Leise Anlagen im Mai", ["anlagen", "month:5"]],
    ["Herr Weber, Dr. Lang und Firma Globex", ["weber", "lang", "globex"]],
    ["mit SAP und HubSpot", ["sap", "hubspot"]],
  ])("de: %s", (text, names) => {
    expect(facts(text, "de").toSorted()).toEqual(names.toSorted());
  });

  it("in a script without capitals are what stands in Latin letters", () => {
    expect(facts("彼らはSalesforceとexcelを25人で使う", "ja")).toEqual([
      "25",
      "salesforce",
      "excel",
    ]);
    expect(facts("Они используют Slack в Москве", "ru")).toEqual(["slack"]);
  });

  it("are figures where names are left out", () => {
    const text = "Ada Ruiz of Acme pays 49 euros in March, see acme.example.";
    expect(figuresIn(text, "en")).toEqual([
      { words: [" acme example "], numbers: [] },
      { words: [], numbers: ["49"], language: "en" },
      { words: [], numbers: ["month:3"], language: "en" },
    ]);
  });
});

it("knows what lies ahead of a day", () => {
  const { weekday, months, easter } = calendarFrom("2026-11-16");
  expect([weekday, easter]).toEqual(["Monday", "2027-03-28"]);
  expect(months).toHaveLength(13);
  expect(months[2]).toEqual({ month: "2027-01", ahead: 2, quarter: "2027-Q1" });
  expect(calendarFrom("2026-01-31").months[1]?.month).toBe("2026-02");
  // The earliest and the latest Easter, the day itself, and the day after.
  expect(calendarFrom("1818-01-01").easter).toBe("1818-03-22");
  expect(calendarFrom("1943-01-01").easter).toBe("1943-04-25");
  expect(calendarFrom("2026-04-05").easter).toBe("2026-04-05");
  expect(calendarFrom("2026-04-06").easter).toBe("2027-03-28");
});
