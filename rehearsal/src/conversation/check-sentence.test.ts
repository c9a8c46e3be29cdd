import { expect, test } from "vitest";
import type { Message } from "../language-model/chat-request.ts";
import { checkSentence } from "./check-sentence.ts";

const message = (role: Message["role"], text: string): Message => ({
  role,
  text,
  calls: [],
  callId: undefined,
});
const SYSTEM = `You check single sentences of a demo agent before a visitor hears them.
Answer with one word; 7 is a number of these rules.

# Knowledge
## a.md
The Team plan costs 19 euros. Records are kept for 365 days, and 1,234 teams use it.`;

function checked(sentence: string, told: object = {}): string | undefined {
  const line = JSON.stringify({ visitor: "We are 40 people. Is it 50 euros?", sentence, ...told });
  return checkSentence([message("system", SYSTEM), message("user", line)]);
}

test.each([
  "The Team plan fits you well.",
  "It costs 19 euros.",
  "Das sind 365 Tage und 1.234 Teams.",
  "For your 40 people I would look at the Team plan.",
  "I can't tell you whether it is 50 euros.",
])("ok: %s", (sentence) => expect(checked(sentence)).toBe("ok"));

test.each([
  "It costs 29 euros.",
  "It costs 365 euros.",
  "It has 7 parts.",
  "Yes, it is 50 euros.",
  "For you it is three dollars.",
  "You get 90 % off.",
  "We have 812 customers.",
])("invented: %s", (sentence) => expect(checked(sentence)).toBe("invented"));

test("what was found, answered, known to the page or calculated is founded", () => {
  expect(checked("It takes 12 weeks.", { sections: ["## b.md\nIt takes 12 weeks."] })).toBe("ok");
  expect(checked("Since you have 12 sites.", { page: { sites: 12 } })).toBe("ok");
  expect(checked("That makes 760 euros.", { calculated: ["40*19"] })).toBe("ok");
});

test("another request is no verifier's", () => {
  expect(checkSentence([message("user", "Hello")])).toBeUndefined();
});
