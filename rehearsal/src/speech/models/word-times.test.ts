import { expect, test } from "vitest";
import { wordTimes } from "./word-times.ts";

const timed = "pau:0.2 hh:0.3 ay:0.4 dh:0.5 eh:0.6 r:0.7 pau:0.9";

test("a word lasts from its first phone to its last", () => {
  expect(wordTimes(["Hi", "there"], timed, "pau hh ay pau dh eh r pau")).toEqual([
    { text: "Hi", startMs: 200, endMs: 400 },
    { text: "there", startMs: 400, endMs: 700 },
  ]);
});

test("where phones cannot be told apart, letters share them", () => {
  expect(wordTimes(["Hi", "you"], timed, "pau hh ay dh eh r pau")).toEqual([
    { text: "Hi", startMs: 200, endMs: 400 },
    { text: "you", startMs: 400, endMs: 700 },
  ]);
});

test("what makes no sound takes no time", () => {
  expect(wordTimes(["…"], "pau:0.2", "pau")).toEqual([{ text: "…", startMs: 0, endMs: 0 }]);
});
