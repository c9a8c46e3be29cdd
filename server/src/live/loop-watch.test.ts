import { createFakeClock } from "#testing";
import { expect, it, onTestFinished } from "vitest";
import { Line } from "./call/line.ts";
import { LoopWatch, strainOf } from "./loop-watch.ts";
import type { LiveSocket } from "./socket/live-socket.ts";

const HELLO = { type: "hello", protocol: "svc.live.v1", session_id: "1", received: 0 } as const;

/** A line whose process may be frozen, and what its socket was sent. */
function frozenLine(): { freeze: () => void; found: () => void; line: Line; sent: string[] } {
  const clock = createFakeClock();
  const knows = Promise.withResolvers<void>();
  const watch = new LoopWatch({ clock, onStoodStill: () => knows.promise });
  onTestFinished(() => watch.stop());
  const sent: string[] = [];
  const line = new Line({
    clock,
    silentMs: 6_000,
    received: 0,
    findingOut: () => watch.findingOut,
    onMessage: () => {},
    onAudio: () => {},
    onLost: () => {},
  });
  const socket = {
    send: ({ type }: { type: string }) => sent.push(type),
    sendSound: () => sent.push("sound"),
    expect: () => {},
    close: () => {},
  } as unknown as LiveSocket;
  line.attach(socket, HELLO, {} as Parameters<Line["attach"]>[2]);
  sent.length = 0;
  return { freeze: () => clock.advance(1_500), found: knows.resolve, line, sent };
}

// K15
it("a process that stood still says nothing before it knows which calls it still runs", async () => {
  const { freeze, found, line, sent } = frozenLine();
  line.tell({ type: "state", state: "speaking" });
  freeze();
  line.sound(new Int16Array(1));
  line.tell({ type: "state", state: "listening" });
  expect(sent).toEqual(["state"]);
  found();
  await expect.poll(() => sent).toEqual(["state", "sound", "state"]);
  line.sound(new Int16Array(1));
  expect(sent).toHaveLength(4);
});

it("and nothing at all of a call that it has lost", async () => {
  const { freeze, found, line, sent } = frozenLine();
  freeze();
  line.sound(new Int16Array(1));
  line.close("moved");
  found();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(sent).toEqual([]);
});

// O5
it("a process is busy when many calls make it late, or when its memory is nearly used up", () => {
  expect(strainOf(40, 250, 0.5).busy).toBe("event_loop");
  expect(strainOf(4, 250, 0.5).busy).toBeUndefined();
  expect(strainOf(40, 150, 0.5).busy).toBeUndefined();
  expect(strainOf(0, 0, 0.9).busy).toBe("memory");
  expect(strainOf(0, 0)).toMatchObject({ memoryShare: expect.any(Number), busy: undefined });
});
