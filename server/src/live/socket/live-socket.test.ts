import { EventEmitter } from "node:events";
import { systemClock } from "#platform";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WebSocket } from "ws";
import { FrameRateLimit } from "./frame-rate-limit.ts";
import { LiveSocket, readFrame } from "./live-socket.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The half of a WebSocket that the network would be behind. */
class FakeWebSocket extends EventEmitter {
  bufferedAmount = 0;
  readonly done: string[] = [];
  send = (frame: string | Buffer): void =>
    void this.done.push(`sent ${typeof frame === "string" ? frame : frame.toString("hex")}`);
  pong = (): void => void this.done.push("pong");
  close = (code: number): void => void this.done.push(`closed ${code}`);
  terminate = (): void => {
    this.done.push("terminated");
    this.emit("close");
  };
  receive(message: object): void {
    this.emit("message", Buffer.from(JSON.stringify(message)), false);
  }
}

function opened(): { ws: FakeWebSocket; socket: LiveSocket; told: string[] } {
  const ws = new FakeWebSocket();
  const told: string[] = [];
  const rateLimit = new FrameRateLimit(systemClock);
  const socket = new LiveSocket(ws as unknown as WebSocket, rateLimit, (end) => told.push(end));
  const user = {
    message: ({ type }: { type: string }) => told.push(type),
    audio: (bytes: Buffer) => told.push(`audio ${bytes.toString("hex")}`),
    closed: () => told.push("closed"),
  };
  socket.expect(user, 6_000, "silent");
  return { ws, socket, told };
}

const PONG = { type: "pong", received: 0 } as const;

test("a browser that reads nothing is given up before it fills the memory", () => {
  const { ws, socket, told } = opened();
  socket.send(PONG);
  ws.bufferedAmount = 1_048_577;
  socket.send(PONG);
  socket.send(PONG);
  expect(ws.done).toEqual([`sent ${JSON.stringify(PONG)}`, "closed 4006"]);
  expect(told).toEqual(["silent", "closed"]);
});

test("sound goes as it is, both ways, and counts as a sign of life", () => {
  const { ws, socket, told } = opened();
  // Within a larger buffer: only its own part is sent.
  socket.sendSound(new Int16Array([7, 1, -2]).subarray(1));
  expect(ws.done).toEqual(["sent 0100feff"]);
  vi.advanceTimersByTime(5_999);
  ws.emit("message", Buffer.from([1, 0]), true);
  vi.advanceTimersByTime(5_999);
  expect(told).toEqual(["audio 0100"]);
});

test("a browser that does not answer the close is cut off", () => {
  const { ws, socket } = opened();
  socket.close("goingAway");
  vi.advanceTimersByTime(1_999);
  expect(ws.done).toEqual(["closed 1001"]);
  vi.advanceTimersByTime(1);
  expect(ws.done).toEqual(["closed 1001", "terminated"]);
});

test("one that answers is left alone", () => {
  const { ws, socket, told } = opened();
  socket.close("goingAway");
  ws.emit("close");
  vi.advanceTimersByTime(10_000);
  expect(ws.done).toEqual(["closed 1001"]);
  expect(told).toEqual(["goingAway", "closed"]);
});

test("what arrives after the close is not heard", () => {
  const { ws, socket, told } = opened();
  socket.close("moved");
  ws.receive({ type: "typing", seq: 1 });
  ws.emit("ping", Buffer.alloc(0));
  expect(told).toEqual(["moved", "closed"]);
  expect(ws.done).toEqual(["closed 4001"]);
});

test("every message counts as a sign of life, a control frame does not", () => {
  const { ws, told } = opened();
  vi.advanceTimersByTime(5_999);
  ws.receive({ type: "typing", seq: 1 });
  vi.advanceTimersByTime(5_999);
  ws.emit("ping", Buffer.alloc(0));
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["typing", "silent", "closed"]);
});

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

test("sockets of one session share its limit: who reconnects sends no more", () => {
  const shared = new FrameRateLimit(systemClock, { messages: 3, soundMs: 60_000 });
  const sockets = [opened(), opened()];
  for (const { socket } of sockets) socket.alsoLimit(shared);
  for (let count = 0; count < 2; count += 1)
    for (const { ws } of sockets) ws.receive({ type: "ping", received: 0 });
  expect(sockets.map(({ told }) => told)).toEqual([
    ["ping", "ping"],
    ["ping", "tooFast", "closed"],
  ]);
});
