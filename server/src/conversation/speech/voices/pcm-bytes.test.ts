import * as fc from "fast-check";
import { expect, it } from "vitest";
import { PcmBytes } from "./pcm-bytes.ts";

it("gives the same samples, however the bytes are cut", () => {
  fc.assert(
    fc.property(fc.int16Array(), fc.array(fc.nat(9)), (samples, sizes) => {
      const bytes = new Uint8Array(samples.buffer.slice(0));
      const pcm = new PcmBytes();
      const came: number[] = [];
      let at = 0;
      for (const size of [...sizes, bytes.length]) {
        came.push(...pcm.take(bytes.subarray(at, at + size)));
        at += size;
      }
      expect(came).toEqual([...samples]);
    }),
  );
});
