import { expect, it } from "vitest";
import { deepgramLanguage } from "./deepgram-language.ts";

it.each([
  ["en", "en"],
  ["en-GB", "en-GB"],
  ["de", "de"],
  ["de-AT", "de"],
  ["pt-BR", "pt-BR"],
  ["es-MX", "es"],
  ["nb-NO", "no"],
  ["zh-Hant", "zh-Hant"],
  ["zh-Hant-HK", "zh-HK"],
  ["fr-fr", "fr"],
])("names %s as %s", (language, name) => {
  expect(deepgramLanguage(language)).toBe(name);
});
