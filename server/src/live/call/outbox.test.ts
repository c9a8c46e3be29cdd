import type { LiveServerMessage } from "@svc/contract/types";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Outbox } from "./outbox.ts";
import type { Outgoing } from "./outbox.ts";

const caption = (turn: string, text: string, final = false): Outgoing => ({
  type: "caption",
  turn,
  role: "assistant",
  text,
  final,
});

test("what has arrived is forgotten, the rest waits in its order", () => {
  const outbox = new Outbox();
  for (const turn of ["a", "b", "c"]) outbox.add(caption(turn, "Hello.", true));
  expect(outbox.acknowledge(2)).toBe(true);
  expect(outbox.waiting().map(({ seq }) => seq)).toEqual([3]);
});

test("a caption overtakes those before it of the same turn, and none of another", () => {
  const outbox = new Outbox();
  outbox.add(caption("a", "Hel"));
  outbox.add(caption("b", "I"));
  outbox.add(caption("a", "Hello"));
  outbox.add(caption("a", "Hello.", true));
  expect(outbox.waiting()).toMatchObject([
    { seq: 2, turn: "b" },
    { seq: 4, turn: "a", final: true },
  ]);
});

test("of a segment that was cleared only that is told again, as its sound is not", () => {
  const outbox = new Outbox();
  outbox.add({ type: "audio_start", segment: 1, sample_rate: 24_000 });
  outbox.add({ type: "audio_pause", segment: 1 });
  outbox.add(caption("a", "Hello.", true));
  outbox.add({ type: "audio_clear", segment: 1 });
  outbox.add({ type: "audio_start", segment: 2, sample_rate: 24_000 });
  expect(outbox.waiting().map(({ seq }) => seq)).toEqual([3, 4, 5]);
});

test("a browser cannot acknowledge what was never sent", () => {
  const outbox = new Outbox();
  outbox.add({ type: "state", state: "listening" });
  expect(outbox.acknowledge(2)).toBe(false);
  expect(outbox.acknowledge(1)).toBe(true);
});

test("however much is lost on the way, sending again what waits gives the same screen", () => {
  const message = fc.oneof(
    fc.record({
      type: fc.constant("caption" as const),
      turn: fc.constantFrom("a", "b"),
      role: fc.constant("assistant" as const),
      text: fc.string(),
      final: fc.constant(false),
    }),
    fc.constantFrom<Outgoing>(
      { type: "state", state: "thinking" },
      { type: "state", state: "listening" },
      { type: "card", card: null },
      { type: "card", card: { kind: "email", id: "1" } },
    ),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(message, fc.boolean())), fc.nat(), (said, lastPing) => {
      const outbox = new Outbox();
      const all = new Map<string, unknown>();
      const seen = new Map<string, unknown>();
      let received = 0;
      let connected = true;
      for (const [one, arrives] of said) {
        const sent = outbox.add(one);
        show(all, sent);
        connected &&= arrives;
        if (connected) {
          received = sent.seq;
          show(seen, sent);
        }
      }
      outbox.acknowledge(Math.min(received, lastPing));
      for (const again of outbox.waiting()) if (again.seq > received) show(seen, again);
      expect(seen).toEqual(all);
    }),
  );
});

function show(screen: Map<string, unknown>, message: LiveServerMessage): void {
  if (message.type === "caption") screen.set(message.turn, message.text);
  else screen.set(message.type, message);
}

test("a browser that never acknowledges costs a bounded amount", () => {
  const outbox = new Outbox();
  for (let turn = 0; turn < 5_000; turn++) outbox.add(caption(`${turn}`, "Hello.", true));
  expect(outbox.waiting()).toHaveLength(500);
  expect(outbox.waiting().at(-1)).toMatchObject({ turn: "4999" });
});
