import fc from "fast-check";
import { expect, test } from "vitest";
import { readFrame } from "./read-frame.ts";

const TEXT = { type: "text", seq: 1, text: "Hello" };

// S14
test.each([
  ["no JSON", "hello"],
  ["nothing", ""],
  ["an array", "[]"],
  ["null", "null"],
  ["an unknown type", '{"type":"admin","seq":1}'],
  ["no type", '{"seq":1}'],
  ["a key that is not ours", JSON.stringify({ ...TEXT, role: "assistant" })],
  ["a number that does not count", JSON.stringify({ ...TEXT, seq: 0 })],
  ["a number that is none", '{"type":"text","seq":1e400,"text":"Hello"}'],
  ["no words", JSON.stringify({ ...TEXT, text: "" })],
  ["too many words", JSON.stringify({ ...TEXT, text: "a".repeat(4_001) })],
  ["the server's own messages", '{"type":"state","seq":1,"state":"listening"}'],
  ["depth", `${"[".repeat(30_000)}${"]".repeat(30_000)}`],
])("%s is no message", (_what, frame) => {
  expect(readFrame(frame)).toBeUndefined();
});

test("a message is read as it was sent", () => {
  expect(readFrame(JSON.stringify(TEXT))).toEqual(TEXT);
});

test("whatever comes, reading it does not throw", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (frame) => void readFrame(frame)));
});
