import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchLanguage } from "./match-language.ts";

const agent = (...codes: string[]) => ({
  languages: codes.map((code) => ({ code })),
  defaultLanguage: codes[0]!,
});

describe("a visitor's language", () => {
  it.each([
    ["de", "de", "the same code"],
    ["pt-BR", "pt-BR", "the same code with its region"],
    ["de-AT", "de", "the language itself where the region is not there"],
    ["zh-Hant-TW", "zh-Hant", "as much of it as there is"],
    ["pt-PT", "pt-BR", "a sibling of another region"],
    ["pt", "pt-BR", "a region where the language itself is not there"],
    ["ja", "en", "the default where nothing fits"],
    ["d", "en", "the default for what only begins alike"],
  ])("%s becomes %s: %s", (wanted, got) => {
    expect(matchLanguage(wanted, agent("en", "de", "pt-BR", "zh-Hant"))).toBe(got);
  });

  it("prefers what is closer, wherever it stands in the list", () => {
    expect(matchLanguage("de-CH", agent("en", "de-AT", "de", "de-CH"))).toBe("de-CH");
    expect(matchLanguage("de-CH", agent("en", "de-AT", "de"))).toBe("de");
    expect(matchLanguage("de-CH", agent("en", "de-AT"))).toBe("de-AT");
  });

  it("is always one that the agent speaks", () => {
    const code = fc.constantFrom("en", "en-GB", "de", "de-AT", "pt-BR", "zh-Hant-TW", "", "-", "x");
    fc.assert(
      fc.property(code, fc.uniqueArray(code, { minLength: 1 }), (wanted, codes) => {
        expect(codes).toContain(matchLanguage(wanted, agent(...codes)));
      }),
    );
  });
});
