import fc from "fast-check";
import { expect, it } from "vitest";
import { SoundFrames } from "./sound-frames.ts";

it("makes whole frames of pieces of any length, each in a buffer of its own", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4_000), { maxLength: 20 }), (lengths) => {
      const frames = new SoundFrames(16_000);
      let next = 0;
      // A piece that is part of a larger buffer, as sockets hand them over.
      const piece = (length: number): Int16Array =>
        Int16Array.from({ length: length + 7 }, (_, at) => (at < 7 ? -1 : next++)).subarray(7);
      const made = lengths.flatMap((length) => frames.add(piece(length)));

      expect(made.map(({ samplesPerChannel }) => samplesPerChannel)).toEqual(
        Array(Math.floor(next / 1_600)).fill(1_600),
      );
      for (const { data } of made) expect(data.buffer.byteLength).toBe(3_200);
      const samples = made.flatMap(({ data }) => [...data]);
      expect(samples).toEqual([...Int16Array.from(samples, (_, at) => at)]);
    }),
  );
});
