import fc from "fast-check";
import { expect, test } from "vitest";
import { Microphone } from "./microphone.ts";
import { SampleQueue } from "./sample-queue.ts";

function listening() {
  const frames: Int16Array[] = [];
  return { frames, microphone: new Microphone((pcm) => frames.push(pcm)) };
}

test("sound of any size becomes frames of 512 samples that own their buffer", () => {
  const frame = fc.tuple(fc.integer({ min: 0, max: 2_000 }), fc.boolean());
  fc.assert(
    fc.property(fc.array(frame), (sizes) => {
      const { frames, microphone } = listening();
      const came: number[] = [];
      for (const [count, isOdd] of sizes) {
        // As in a buffer of the network, where a frame begins anywhere.
        const bytes = Buffer.alloc(count * 2 + 1).subarray(
          isOdd ? 1 : 0,
          count * 2 + (isOdd ? 1 : 0),
        );
        for (let at = 0; at < count; at++) {
          const sample = (came.length % 60_000) - 30_000;
          bytes.writeInt16LE(sample, at * 2);
          came.push(sample);
        }
        expect(microphone.hear(bytes)).toBe(true);
      }
      expect(
        frames.every(({ length, buffer }) => length === 512 && buffer.byteLength === 1_024),
      ).toBe(true);
      const whole = came.length - (came.length % 512);
      expect(frames.flatMap((pcm) => [...pcm])).toEqual(came.slice(0, whole));
    }),
  );
});

// S14
test("half a sample is no sound", () => {
  const { frames, microphone } = listening();
  expect(microphone.hear(Buffer.alloc(1_023))).toBe(false);
  expect(microphone.hear(Buffer.alloc(0))).toBe(true);
  expect(frames).toEqual([]);
});

test("what comes while it is off is passed over, and its end is heard as silence", () => {
  const { frames, microphone } = listening();
  microphone.hear(Buffer.alloc(1_000, 1));
  microphone.mute(true);
  microphone.mute(true);
  expect(frames).toEqual(Array.from({ length: 31 }, () => new Int16Array(512)));
  expect(microphone.hear(Buffer.alloc(4_096, 1))).toBe(true);
  microphone.mute(false);
  microphone.hear(Buffer.alloc(1_024, 2));
  expect(frames.slice(31)).toEqual([new Int16Array(512).fill(0x0202)]);
});

const samples = fc.int16Array({ maxLength: 50 });

test("whatever the sizes, the samples go as they came, in buffers of their own", () => {
  fc.assert(
    fc.property(fc.array(samples), fc.integer({ min: 1, max: 60 }), (pieces, size) => {
      const queue = new SampleQueue();
      const came = pieces.flatMap((piece) => [...piece]);
      for (const piece of pieces) queue.push(piece);
      expect(queue.length).toBe(came.length);
      const went: number[] = [];
      while (queue.length > 0) {
        const taken = queue.take(size);
        expect(taken.buffer.byteLength).toBe(taken.byteLength);
        went.push(...taken);
      }
      expect(went).toEqual(came);
      expect(queue.take(size)).toHaveLength(0);
    }),
  );
});
