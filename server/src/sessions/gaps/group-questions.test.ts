import { expect, it } from "vitest";
import { groupQuestions } from "./group-questions.ts";

function grouped(...questions: string[]): string[][] {
  const stemmed = questions.map((text) => {
    const stems = new Set(text.split(" "));
    return { text, stems, seen: stems };
  });
  return groupQuestions(stemmed).map((group) => group.map(({ text }) => text));
}

it("puts questions together that share what is rare in them", () => {
  expect(
    grouped(
      "integrat datev",
      "integrat datev account",
      "integrat slack",
      "price school",
      "slack integrat work",
    ),
  ).toEqual([
    ["integrat datev", "integrat datev account"],
    ["integrat slack", "slack integrat work"],
    ["price school"],
  ]);
});

it("takes thousands", () => {
  const many = Array.from(
    { length: 5_000 },
    (_, at) => `word${at % 1_000} other${at % 1_000} same`,
  );
  expect(grouped(...many)).toHaveLength(1_000);
});
