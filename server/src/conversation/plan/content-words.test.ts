import { expect, test } from "vitest";
import { agentUnderTest } from "./agent-under-test.ts";
import { sectionsUsed } from "./content-words.ts";

const agent = agentUnderTest();

test.each([
  [
    "The sound is never recorded, and the written conversation is kept for 365 days.",
    ["privacy.md#Privacy"],
  ],
  ["Each session is sent to your address, signed, and tried again.", ["your-data.md#Webhooks"]],
  ["Das Gespräch bleibt 365 Tage, als Text.", []],
  ["I don't know that. A person from our team will answer it.", []],
  ["Shall I show you?", []],
])("%s", (text, sections) => {
  expect(sectionsUsed(text, agent)).toEqual(sections);
});
