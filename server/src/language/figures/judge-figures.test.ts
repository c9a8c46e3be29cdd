import { describe, expect, test } from "vitest";
import { judgeFigures } from "./judge-figures.ts";
import { Source } from "../source.ts";
import { OwnerFigures } from "./known-figures.ts";
import type { FigureSources } from "./judge-figures.ts";

const KNOWLEDGE = `# Prices
Solo costs 9 euros, Crew 19 euros and Fleet $1,200 a month. Charities get 25 percent off. Who pays for a year pays ten months and gets twelve.
| plan | EUR | boats |
|---|---|---|
| Harbour | 149 | 40 |
# Service
The trial lasts fourteen days. Records are kept for 365 days. The first answer comes within four hours, from 8:00 to 18:00.
It runs on Android 11, TLS 1.3 and, since 2023, ISO 27001. One hundred
thousand positions take two days. See https://boats.example/docs. Closed on 24 December.`;

const owner = new OwnerFigures([KNOWLEDGE], ["en", "de"]);

interface Said extends Partial<Omit<FigureSources, "visitor" | "agent">> {
  visitor?: string[];
  agent?: string[];
}

function judge(
  sentence: string,
  { visitor = [], agent = [], ...sources }: Said = {},
): string | undefined {
  const trouble = judgeFigures(sentence, {
    language: "en",
    owner,
    visitor: visitor.map((text) => new Source(text)),
    agent: agent.map((text) => new Source(text)),
    calculations: [],
    today: new Date("2026-11-16T15:00:00Z"),
    ...sources,
  });
  return trouble && `${trouble.code} ${trouble.figure}`;
}

describe("a figure passes", () => {
  test.each([
    ["en", "Solo is 9 euros, and Crew is €19."],
    ["en", "Solo is nine euros, Fleet twelve hundred dollars."],
    ["de", "Solo kostet neun Euro, Fleet 1.200 Dollar."],
    ["de", "Fleet kostet eintausendzweihundert Dollar."],
    ["ja", "料金は９ユーロ、またはトライアルは14日間です。"],
    ["ar", "السعر ١٩ يورو."],
    ["en", "Harbour is 149 euros for forty boats."],
    ["fr", "L'essai dure quatorze jours, avec 25 pour cent de remise."],
    ["nl", "Honderdduizend posities duren twee dagen."],
    ["en", "It runs on TLS 1.3 and Android 11, and is certified to ISO 27001."],
    ["de", "Von 8 bis 18 Uhr, am 24. Dezember nicht."],
    ["en", "You get twelve months for the price of ten."],
    ["pl", "Mamy ISO 27001 od 2023 roku."],
    ["ja", "2023年からISO 27001を取得しています。"],
  ])("that stands in the owner's texts: %s %s", (language, sentence) => {
    expect(judge(sentence, { language })).toBeUndefined();
  });

  test.each([
    "We are there 24/7.",
    "That is 100 % yours.",
    "We keep it for 12 months.",
    "We speak four languages.",
    "There are two ways.",
    "Here is the 30-second version.",
    "Step 1 comes first, then step 2.",
    "It's 2026.",
    "It needs ES2020 and HTTP/2.",
    "Today is Monday, the 16th of November.",
    "Tomorrow is Tuesday, November 17.",
    "Would March suit you?",
  ])("that is harmless by rule: %s", (sentence) => {
    expect(judge(sentence)).toBeUndefined();
  });

  test.each([
    ["en", "With 2,500 boats that is a lot.", "we have two thousand five hundred boats"],
    ["de", "Bei 2.500 Booten lohnt es sich.", "wir haben zweieinhalbtausend Boote"],
    ["nl", "Anderhalfduizend boten dus.", "anderhalfduizend denk ik"],
    ["en", "Mid July it is, so 45 days.", "in july, that's 45 days"],
    ["en", "I wrote to ada@example.org.", "it's ada@example.org"],
    ["de", "Freitag ist der 20. November.", "bis Freitag?"],
  ])("that the visitor said: %s %s", (language, sentence, said) => {
    expect(judge(sentence, { language, visitor: [said] })).toBeUndefined();
    expect(judge(sentence, { language })).toBeDefined();
  });

  test("whose unit another language or a conversion gives", () => {
    expect(
      judge("La réponse vient de huit heures à dix-huit heures.", { language: "fr" }),
    ).toBeUndefined();
    expect(judge("Positions take 48 hours.")).toBeUndefined();
    expect(judge("Positions take 18 hours.")).toBe("figure 18");
  });

  test("that the agent was allowed to say", () => {
    expect(judge("So 228 euros.", { agent: ["That is 228 euros."] })).toBeUndefined();
  });

  test.each([
    ["For twelve seats that's 228 euros.", "12*19", "twelve of us"],
    ["With the discount it's 14.25 euros.", "19*0.75", ""],
    ["That's about 253 euros a month.", "16*19*10/12", "sixteen people"],
    ["It's a bit under 16 euros.", "10*19/12", ""],
    ["That's around two messages a minute.", "90000/30/24/60", "90,000 a month"],
    ["Three seats would be 57 euros.", "3*19", ""],
    ["Sixty times twelve is 720.", "60*12", ""],
  ])("that follows from known numbers: %s", (sentence, calculation, said) => {
    const sources = { calculations: [calculation], visitor: [said, "sixteen or twelve"] };
    expect(judge(sentence, sources)).toBeUndefined();
  });
});

describe("a figure is held", () => {
  test.each([
    ["en", "It costs 99 euros.", "money 99"],
    ["en", "It costs $1,2.", "money 1,2"],
    ["en", "It costs 1.900 euros.", "money 1.900"],
    ["en", "It costs 9 dollars.", "money 9"],
    ["en", "It's 14 euros.", "money 14"],
    ["en", "Fleet is 19 percent off.", "money 19"],
    ["en", "You save a full 20%.", "money 20"],
    ["de", "Das kostet neunzig Euro.", "money neunzig"],
    ["it", "Per voi cento euro, con il venti per cento di sconto.", "money cento"],
    ["es", "Son veinticinco euros.", "money veinticinco"],
    ["tr", "Size yüzde yirmi indirim.", "money yirmi"],
    ["ja", "月額２,０００円です。", "money 2,000"],
    ["zh", "每月三百五十元。", "money 三百五十"],
    ["en", "The trial lasts fourteen months.", "figure fourteen"],
    ["en", "It takes six weeks.", "figure six"],
    ["en", "We have two hundred customers.", "figure two hundred"],
    ["de", "Wir haben zweieinhalbtausend Kunden.", "figure zweieinhalbtausend"],
    ["en", "We start on 12 March.", "figure March"],
    ["en", "It comes in March.", "figure March"],
    ["en", "Today is Tuesday, the 16th of November.", "figure November"],
    ["en", "Write to boss@evil.example.", "link boss@evil.example."],
    ["en", "It's at boats.example/legal.", "link boats.example/legal."],
  ])("that stands nowhere: %s %s", (language, sentence, trouble) => {
    expect(judge(sentence, { language })).toBe(trouble);
  });

  test("that only the visitor has named as a price", () => {
    const visitor = ["7 euros? Or 20 percent off? Make it 250."];
    expect(judge("Then it's 7 euros.", { visitor })).toBe("money 7");
    expect(judge("Then it's 20 percent.", { visitor })).toBe("money 20");
    expect(judge("Then it's 250 euros.", { visitor, calculations: ["250*1"] })).toBe("money 250");
    expect(judge("Then it's 7 euros.", { visitor, calculations: ["19-12"] })).toBe("money 7");
  });

  test.each([
    ["It's 228 euros.", "12*20"],
    ["It's 9.50 euros.", "19/2"],
    ["It's 15 euros.", "19*0.8"],
    ["It's 17 euros.", "19-2"],
    ["It's 228 euros.", "19*12; DROP"],
    ["It's 228 euros.", "19*(12"],
    ["It's 500 euros.", "12*19"],
    ["It's 361 visitors.", "77*13"],
  ])("where the calculation does not give it: %s %s", (sentence, calculation) => {
    expect(judge(sentence, { calculations: [calculation] })).toBeDefined();
  });

  test("in a language that the model fell into", () => {
    expect(judge("Our price is three dollars.", { language: "de" })).toBe("money three");
    expect(judge("It costs 99 euros.", { language: "no language" })).toBe("money 99");
  });

  test("with a reason for the model", () => {
    const sources = { language: "en", owner, visitor: [], agent: [], calculations: [] };
    const trouble = judgeFigures("It's 99 euros.", { ...sources, today: new Date() });
    expect(trouble?.why).toContain('The price "99" does not stand in the knowledge');
  });
});

test("an owner's texts are read quickly, and a sentence at once", () => {
  const text = `${KNOWLEDGE}\nSome words without any figure stand between them. `.repeat(300);
  // By the processor's time: on a busy machine others have it most of the time.
  const begun = process.cpuUsage();
  const large = new OwnerFigures([text], ["en", "de"]);
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1_000).toBeLessThan(3_000);
  expect(large.with("1200")).not.toEqual([]);
});
