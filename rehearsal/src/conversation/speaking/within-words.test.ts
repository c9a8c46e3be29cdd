import { expect, test } from "vitest";
import { withinWords } from "./within-words.ts";

test("whole sentences are left out from the end of the response", () => {
  expect(withinWords("One two. Three four. Five six.", "Seven eight?", 6)).toBe(
    "One two. Three four. Seven eight?",
  );
});

test("its first sentence and the goal are always said", () => {
  expect(withinWords("One two three. Four.", "Five six?", 2)).toBe("One two three. Five six?");
  expect(withinWords("", "Five six?", 1)).toBe("Five six?");
});
