import fc from "fast-check";
import { expect, test } from "vitest";
import { SampleQueue } from "./sample-queue.ts";

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
