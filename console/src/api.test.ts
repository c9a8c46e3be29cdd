import { expect, test } from "vitest";
import { withoutCommands } from "./api.ts";

test("a message keeps what happened and why, and loses what to type", () => {
  expect(
    withoutCommands(
      "There is no session 7. It never existed, or it has been erased. Run `svc sessions list` to see the newest.",
    ),
  ).toBe("There is no session 7. It never existed, or it has been erased.");
  expect(withoutCommands("It is paused. Resume it first.")).toBe("It is paused. Resume it first.");
});
