import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFiller } from "./is-filler.ts";

describe("listening", () => {
  it.each([
    ["en", ["Mhm.", "mm-hmm", "Uh-huh!", "Okay, okay.", "I see.", "Yeah… right", "Got it", "Yes."]],
    ["de", ["Ja.", "Genau!", "Ach so, ja.", "Alles klar", "hm hm", "Ähm…", "Ja, ja, verstehe."]],
    ["fr", ["D'accord.", "d’accord", "Oui, oui", "Tout à fait !", "Ah bon ?", "Euh…", "C'est ça."]],
    ["es", ["Vale.", "Sí, claro.", "¡Claro que sí!", "Ajá", "De acuerdo, entiendo."]],
    ["de-CH", ["Genau."]],
    ["ja", ["Mhm", "okay", "yeah"]],
  ])("is a filler in %s", (language, transcripts) => {
    for (const transcript of transcripts)
      expect(isFiller(transcript, language), transcript).toBe(true);
  });

  it.each([
    [
      "en",
      ["Stop.", "No.", "Wait", "Yes, but how much?", "Okay, what about SAP?", "Hold on", "Why?"],
    ],
    ["de", ["Stopp", "Nein", "Moment", "Ja, aber", "Doch", "Genau, und der Preis?", "Wie bitte?"]],
    ["fr", ["Non", "Attendez", "Oui mais", "Stop", "Pourquoi ?", "D'accord, et après"]],
    ["es", ["No", "Espere", "Sí, pero", "Para", "¿Cuánto?"]],
    ["ja", ["はい、でも", "待って"]],
  ])("is a turn in %s", (language, transcripts) => {
    for (const transcript of transcripts)
      expect(isFiller(transcript, language), transcript).toBe(false);
  });

  it("is silence too", () => {
    for (const nothing of ["", "  ", "…", "?!"]) expect(isFiller(nothing, "en")).toBe(true);
  });

  it("is not, as soon as one real word is in it", () => {
    const language = fc.constantFrom("en", "de", "fr", "es", "pt");
    const fillers = fc.array(fc.constantFrom("mhm", "OK", "hmm", "ah", "okay"), { maxLength: 5 });
    const mark = fc.constantFrom(" ", ", ", "… ", "! ");
    fc.assert(
      fc.property(language, fillers, fillers, mark, (code, before, after, between) => {
        expect(isFiller([...before, ...after].join(between), code)).toBe(true);
        expect(isFiller([...before, "price", ...after].join(between), code)).toBe(false);
      }),
    );
  });

  it("is decided, whatever is said and however long", () => {
    const startedAt = performance.now();
    expect(isFiller("mm hm ha ha ok o k ".repeat(500) + "stop", "en")).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void isFiller(text, "de")));
  });
});
