import fc from "fast-check";
import { expect, test } from "vitest";
import type { Language } from "../words/words-of.ts";
import { findInKnowledge, spokenSentences } from "./find-in-knowledge.ts";
import { talkOf } from "./talk-under-test.ts";

function found(asked: string, language: Language = "en"): string | undefined {
  return findInKnowledge(asked, { ...talkOf(["Hi"]), language });
}

const battery = "The battery lasts 80 kilometres and charges in four hours.";
const family = "The Family model costs 3,990 euros.";
const warranty = "It comes with a warranty of five years.";

test.each<[Language, string, string]>([
  ["en", "How much is the Family model?", family],
  ["en", "How far does the battery last?", battery],
  ["de", "Was kostet das Modell Family?", family],
  ["de", "Wie lange hält der Akku?", battery],
  ["fr", "Combien coûte le modèle Family ?", family],
  ["fr", "Y a-t-il une garantie ?", warranty],
  ["es", "¿Hay garantía?", warranty],
])("%s: %s", (language, asked, sentence) => {
  expect(found(asked, language)).toBe(sentence);
});

test.each<[Language, string]>([
  ["en", "Is there an app?"],
  ["en", "Who is your chief executive?"],
  ["en", "Do you ship to Norway?"],
  ["en", "Velomax?"],
  ["de", "Gibt es das in Rot?"],
  ["fr", "Avez-vous des magasins ?"],
])("%s: nothing is known about: %s", (language, asked) => {
  expect(found(asked, language)).toBeUndefined();
});

test("markdown is read as it is spoken", () => {
  expect(
    spokenSentences("# A\n\nOne is `x`.\nIt has [a link](b).\n\n- **Two**\n  is long.\n- three"),
  ).toEqual(["One is x.", "It has a link.", "Two is long."]);
});

test("whatever is asked, only sentences of the knowledge are found", () => {
  const known = talkOf(["Hi"]).knowledge.flatMap(({ text }) => spokenSentences(text));
  fc.assert(
    fc.property(fc.string(), (asked) => {
      expect([undefined, ...known]).toContain(found(asked));
    }),
  );
});
