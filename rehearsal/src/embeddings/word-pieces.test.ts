import { expect, test } from "vitest";
import { WordPieces } from "./word-pieces.ts";

const ids = { "[UNK]": 0, "[CLS]": 1, "[SEP]": 2, un: 3, "##aff": 4, "##able": 5, cafe: 6, ",": 7 };
const pieces = new WordPieces(ids);

test("cuts an unknown word into the longest pieces it has", () => {
  expect(pieces.of("Unaffable, Café zebra", 20)).toEqual([1, 3, 4, 5, 7, 6, 0, 2]);
});

test("keeps its marks when a text is too long", () => {
  expect(pieces.of("cafe ".repeat(50), 6)).toEqual([1, 6, 6, 6, 6, 2]);
});
