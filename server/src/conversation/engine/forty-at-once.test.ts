import { expect, it } from "vitest";
import { conversationUnderTest, says } from "./conversation-under-test.ts";

it("keeps forty conversations of one process apart", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `${"AEIOU"[at % 5]}${"bdfglmnr"[at % 8]}a`);
  const started = await Promise.all(
    names.map((name) => conversationUnderTest([says(`Hello ${name}.`), says(`Yes ${name}.`)])),
  );
  await Promise.all(
    started.map(async ({ conversation }, at) => {
      await conversation.hear(`I am ${names[at]}.`);
      await conversation.hear(`Really ${names[at]}.`);
    }),
  );
  expect(started.map(({ log }) => log.lines)).toEqual(
    names.map((name) => [
      `user: I am ${name}.`,
      `assistant: Hello ${name}.`,
      `user: Really ${name}.`,
      `assistant: Yes ${name}.`,
    ]),
  );
});
