import { createFakeClock } from "#testing";
import { expect, test } from "vitest";
import { Replies } from "./replies.ts";

test("a reply is measured to its first word and to its end", () => {
  const clock = createFakeClock();
  const replies = new Replies(clock);
  const complete = replies.ask();
  clock.advance(300);
  replies.said();
  clock.advance(700);
  replies.said();
  expect(replies.owed).toBe(1);
  expect(complete()).toEqual({ firstWordMs: 300, totalMs: 1_000 });
  expect(replies.owed).toBe(0);
});

test("a reply that was cut is not measured", () => {
  const clock = createFakeClock();
  const replies = new Replies(clock);
  const cut = replies.ask();
  clock.advance(5_000);
  const complete = replies.ask();
  clock.advance(100);
  replies.said();
  expect(cut()).toBeUndefined();
  expect(complete()).toEqual({ firstWordMs: 100, totalMs: 100 });
});

test("a greeting is no reply", () => {
  const replies = new Replies(createFakeClock());
  replies.said();
  expect(replies.ask()()).toEqual({ firstWordMs: undefined, totalMs: 0 });
});
