import fc from "fast-check";
import { expect, test } from "vitest";
import { logLine } from "./terminal.ts";

test("a line of the log reads like a sentence with facts", () => {
  const line = JSON.stringify({
    level: "debug",
    time: new Date(2026, 0, 2, 3, 4, 5).toISOString(),
    route: "/v1/sessions.json",
    status: 200,
    ms: 3,
    msg: "answered",
  });
  expect(logLine(line, false)).toBe(
    "03:04:05  debug  answered  route=/v1/sessions.json  status=200  ms=3",
  );
});

test("an error stands below, with its place and its cause", () => {
  const err = {
    type: "Error",
    message: "away",
    stack: "    at a (a.ts:1:1)\n    at b (b.ts:2:2)",
    cause: { type: "SocketError", code: "ECONNREFUSED" },
  };
  const shown = logLine(JSON.stringify({ level: "error", msg: "failed", err }), false);
  expect(shown.split("\n")).toEqual([
    "--:--:--  error  failed",
    "      Error away",
    "      at a (a.ts:1:1)",
    "      at b (b.ts:2:2)",
    "        SocketError ECONNREFUSED",
  ]);
});

test("a value that would fill the screen is cut", () => {
  const line = JSON.stringify({
    level: "info",
    msg: "starting",
    config: { text: "x".repeat(999) },
  });
  expect(logLine(line, false).length).toBeLessThan(150);
});

test("colour only adds colour", () => {
  const line = JSON.stringify({ level: "warn", msg: "slow" });
  expect(logLine(line, true)).toContain("\u001B[33mwarn");
});

test("whatever is no line of our log stays as it is", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      expect(logLine(line, false)).toBe(line);
    }),
  );
});
