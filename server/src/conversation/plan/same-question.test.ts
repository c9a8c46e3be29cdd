import { expect, test } from "vitest";
import { asksForSame, sameQuestion } from "./same-question.ts";

const CASE = "What would you like visitors of your site to see or understand?";
const COUNT = "About how many people visit that page in a month?";
const WHEN = "When would you like to have it running?";

test.each([
  [COUNT, "about how many people visit that page in a month"],
  [COUNT, "Roughly how many people visit the page each month?"],
  [COUNT, "And how many visitors does that page have in a month?"],
  [COUNT, "Could you tell me how many people visit that page monthly?"],
  [CASE, "What should visitors understand on your site?"],
  [WHEN, "When should it be running?"],
  ["Wann soll es denn laufen?", "Und wann soll das laufen?"],
  [
    "Combien de personnes visitent cette page ?",
    "Combien de personnes voient et visitent la page ?",
  ],
])("one in other words: %s / %s", (one, other) => {
  expect(sameQuestion(one, other)).toBeGreaterThan(0);
  expect(sameQuestion(other, one)).toBe(sameQuestion(one, other));
});

test.each([
  [CASE, "What would you like to see next?"],
  [CASE, "Shall I show you how it looks on a site?"],
  [COUNT, "Shall I show you the page that visitors see?"],
  [COUNT, "Does that help?"],
  [WHEN, "Would you like to see it running?"],
  [WHEN, "Shall I go on?"],
  [WHEN, COUNT],
  [CASE, COUNT],
  ["Wann soll es laufen?", "Soll ich Ihnen zeigen, wie es läuft?"],
])("another: %s / %s", (one, other) => {
  expect(sameQuestion(one, other)).toBe(0);
});

test.each([
  [COUNT, "Und ungefähr wie viele Leute kommen da vorbei?"],
  [COUNT, "Combien de personnes viennent ?"],
  [WHEN, "¿Y cuándo quiere empezar?"],
  [WHEN, "By when do you need it?"],
])("asks for the same: %s / %s", (question, sentence) => {
  expect(asksForSame(sentence, question)).toBe(true);
});

test.each([
  [COUNT, "Shall I show you how many came?"],
  [WHEN, "Would you like to know when the webhook is sent?"],
  [CASE, "What else would you like to see?"],
  [CASE, "Was führt Sie her?"],
  [WHEN, "Qu'est-ce qui vous amène ?"],
])("does not ask for the same: %s / %s", (question, sentence) => {
  expect(asksForSame(sentence, question)).toBe(false);
});
