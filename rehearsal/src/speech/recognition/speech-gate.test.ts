import fc from "fast-check";
import { expect, test } from "vitest";
import { quiet, voiced } from "../speech-under-test.ts";
import { SpeechGate } from "./speech-gate.ts";

function gateThatTells(): { gate: SpeechGate; told: string[] } {
  const told: string[] = [];
  const gate: SpeechGate = new SpeechGate(
    { sampleRate: 16_000, endpointingMs: 250 },
    {
      begins: () => told.push(`begins at ${gate.startMs}`),
      goesOn() {},
      ends() {
        told.push(`ends after ${gate.lengthMs}`);
        gate.reset();
      },
    },
  );
  return { gate, told };
}

test("an utterance keeps the sound just before it, and ends with the quiet after it", () => {
  const { gate, told } = gateThatTells();
  for (const sound of [quiet(1_000), voiced(500), quiet(1_000)]) gate.push(sound);
  expect(told).toEqual(["begins at 840", "ends after 920"]);
});

test("a click is no utterance", () => {
  const { gate, told } = gateThatTells();
  for (let clicks = 0; clicks < 5; clicks += 1) {
    gate.push(voiced(40));
    gate.push(quiet(400));
  }
  expect(told).toEqual([]);
});

test("a short pause does not end an utterance", () => {
  const { gate, told } = gateThatTells();
  for (const sound of [voiced(300), quiet(200), voiced(300), quiet(300)]) gate.push(sound);
  expect(told).toHaveLength(2);
});

test("it makes no difference how the sound is cut into messages", () => {
  const sound = Int16Array.of(
    ...quiet(300),
    ...voiced(400),
    ...quiet(400),
    ...voiced(200),
    ...quiet(300),
  );
  const whole = gateThatTells();
  whole.gate.push(sound);
  expect(whole.told).toHaveLength(4);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1 }), (sizes) => {
      const { gate, told } = gateThatTells();
      for (let at = 0, turn = 0; at < sound.length; turn += 1) {
        const size = sizes[turn % sizes.length]!;
        gate.push(sound.subarray(at, at + size));
        at += size;
      }
      expect(told).toEqual(whole.told);
    }),
    { numRuns: 20 },
  );
});
