import { expect, it } from "vitest";
import { placeOf } from "./evidence.ts";

const TALK = [
  { role: "assistant" as const, content: "So it is twelve, not twenty?" },
  { role: "user" as const, content: "Right —  “Twelve, not twenty”. İyi, 東京 too." },
];

it.each([
  ["twelve, not twenty", { turn: 1, from: 10, to: 28 }],
  ["so it is twelve", { turn: 0, from: 0, to: 15 }],
  ["東京", { turn: 1, from: 36, to: 38 }],
])("finds %s where the visitor said it, or else anybody", (quote, place) => {
  const found = placeOf(TALK, quote)!;
  expect(found).toEqual(place);
});

it("finds nothing that was not said", () => {
  expect(placeOf(TALK, "thirteen")).toBeUndefined();
  expect(placeOf(TALK, "…")).toBeUndefined();
  expect(placeOf([], "twelve")).toBeUndefined();
});
