import { expect, it } from "vitest";
import { scoreTurn } from "./score-turn.ts";

const meant = [
  { say: "Team is 19 euros a seat (and month).", must: "pass" as const },
  { say: "It's free for you.", must: "hold" as const },
  { say: "Anything else?", must: "pass" as const },
];

it("tells which sentences a visitor read, whatever white space is between them", () => {
  const read = "Team is 19 euros\na seat (and month).Anything else?";
  const { fates, added } = scoreTurn(meant, read, "en");
  expect(fates).toEqual(["reached", "dropped", "reached"]);
  expect(added).toEqual([]);
});

it("tells a sentence that was changed from one that the server added", () => {
  const read = "Team is 17 euros a seat (and month). Please ask our people.";
  const { fates, added } = scoreTurn(meant, read, "en");
  expect(fates).toEqual(["altered", "dropped", "dropped"]);
  expect(added).toEqual(["Please ask our people."]);
});

it("takes a short sentence inside of a longer one for the longer one only", () => {
  const both = [
    { say: "Goodbye!", must: "pass" as const },
    { say: "Thanks, and Goodbye!", must: "pass" as const },
  ];
  expect(scoreTurn(both, "Thanks, and Goodbye!", "en").fates).toEqual(["dropped", "reached"]);
});
