import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeptSentences, PcmBytes } from "./sound.ts";

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

describe("kept sentences", () => {
  it("make room for others, those said longest ago first", () => {
    const kept = new KeptSentences(2);
    kept.keep("ada", "one", []);
    kept.keep("ada", "two", []);
    kept.find("ada", "one");
    kept.keep("ada", "three", []);
    expect(kept.find("ada", "one")).toEqual([]);
    expect(kept.find("ada", "two")).toBeUndefined();
    expect(kept.find("ada", "three")).toEqual([]);
    expect(kept.find("bob", "three")).toBeUndefined();
  });
});
