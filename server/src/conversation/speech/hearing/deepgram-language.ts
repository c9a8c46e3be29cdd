/** What Deepgram calls a language. It refuses a region that it does not know, and knows few. */
export function deepgramLanguage(language: string): string {
  const { language: base, baseName, region } = new Intl.Locale(language);
  const known = [baseName, `${base}-${region}`].find((name) => REGIONAL.has(name));
  return known ?? SPOKEN_AS.get(base) ?? base;
}

/** https://developers.deepgram.com/docs/models-languages-overview */
const REGIONAL = new Set([
  "da-DK",
  "de-CH",
  "en-AU",
  "en-GB",
  "en-IN",
  "en-NZ",
  "en-US",
  "es-419",
  "fr-CA",
  "ko-KR",
  "nl-BE",
  "pt-BR",
  "pt-PT",
  "sv-SE",
  "th-TH",
  "zh-CN",
  "zh-HK",
  "zh-Hans",
  "zh-Hant",
  "zh-TW",
]);

const SPOKEN_AS = new Map([
  ["nb", "no"],
  ["nn", "no"],
]);
