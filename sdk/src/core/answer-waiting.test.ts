import { expect, test } from "vitest";
import { answerWaiting } from "./answer-waiting.ts";
import type { WaitingCalls } from "./answer-waiting.ts";

/** A method as the longer snippet makes it. */
function waitIn(waiting: WaitingCalls, name: string): (...args: unknown[]) => Promise<unknown> {
  return (...args) =>
    new Promise((resolve) => {
      waiting.push([name, args, resolve]);
    });
}

function someSvc(): { told: unknown[]; svc: object } {
  const told: unknown[] = [];
  const method = (name: string) => (arg: unknown) => {
    told.push([name, arg]);
    return name;
  };
  const svc = {
    ready: Promise.resolve(),
    startDemo: method("start"),
    widget: { show: method("show") },
  };
  return { told, svc };
}

test("calls that waited are answered in the order in which they were made", async () => {
  const waiting: WaitingCalls = [];
  const answers = [
    waitIn(waiting, "startDemo")(1),
    waitIn(waiting, "widget.show")(2),
    waitIn(waiting, "ready")(),
  ];
  const { told, svc } = someSvc();
  answerWaiting(waiting, svc);
  expect(told).toEqual([
    ["start", 1],
    ["show", 2],
  ]);
  expect(await Promise.all(answers)).toEqual(["start", "show", undefined]);
});

test("a method that was taken before the SDK had loaded works afterwards", async () => {
  const waiting: WaitingCalls = [];
  const startDemo = waitIn(waiting, "startDemo");
  const { told, svc } = someSvc();
  answerWaiting(waiting, svc);
  expect(await startDemo("a click")).toBe("start");
  expect(await startDemo("another")).toBe("start");
  expect(told).toEqual([
    ["start", "a click"],
    ["start", "another"],
  ]);
});
