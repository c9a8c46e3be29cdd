import fc from "fast-check";
import { expect, test } from "vitest";
import { chooseLanguage, rankLanguages } from "./preflight.ts";

test.each([
  [["en", "de"], ["de-AT", "en"], "de"],
  [["en", "de-AT"], ["de-CH"], "de-AT"],
  [["pt", "pt-BR"], ["pt-BR"], "pt-BR"],
  [["pt-PT", "pt"], ["pt-BR"], "pt"],
  [["en", "fr"], ["it", "fr-CA"], "fr"],
  [["en", "fr"], ["it"], "en"],
  [["en", "fr"], ["FR"], "fr"],
  [["en"], [], "en"],
])("of %j a visitor who wants %j speaks %s", (offered, wanted, spoken) => {
  expect(chooseLanguage(offered, wanted, "en")).toBe(spoken);
});

test("an earlier preference wins over a better match of a later one", () => {
  expect(chooseLanguage(["de-AT", "en"], ["de-DE", "en"], "en")).toBe("de-AT");
});

test("the list has every language once, those that match in front", () => {
  expect(rankLanguages(["en", "de", "fr"], ["fr-CA", "en-GB"])).toEqual(["fr", "en", "de"]);
  const code = fc.constantFrom("en", "en-GB", "de", "de-AT", "fr", "pt-BR", "pt", "x");
  fc.assert(
    fc.property(fc.uniqueArray(code), fc.array(code), (offered, wanted) => {
      const ranked = rankLanguages(offered, wanted);
      expect([...ranked].toSorted()).toEqual([...offered].toSorted());
      if (offered.length === 0) return;
      expect(chooseLanguage(offered, wanted, offered[0]!)).toBe(ranked[0]);
    }),
  );
});
