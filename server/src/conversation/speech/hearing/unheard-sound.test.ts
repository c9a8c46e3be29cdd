import { AudioFrame } from "@livekit/rtc-node";
import fc from "fast-check";
import { expect, it } from "vitest";
import { SoundFrames, UnheardSound } from "./unheard-sound.ts";

const tenth = (): AudioFrame => new AudioFrame(new Int16Array(1_600), 16_000, 1, 1_600);

it("has every frame that is not wholly in words, the last ones if there are too many", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.constant({ kind: "sound" as const }),
          fc.record({ kind: fc.constant("words" as const), untilMs: fc.nat(4_000) }),
          fc.constant({ kind: "new connection" as const }),
        ),
        { maxLength: 100 },
      ),
      (steps) => {
        const unheard = new UnheardSound(1_500);
        let kept: { frame: AudioFrame; endMs: number }[] = [];
        let nowMs = 0;
        for (const step of steps) {
          if (step.kind === "sound") {
            const frame = tenth();
            nowMs += 100;
            unheard.add(frame);
            kept = [...kept, { frame, endMs: nowMs }].slice(-15);
          } else if (step.kind === "words") {
            unheard.heardUntil(step.untilMs);
            kept = kept.filter(({ endMs }) => endMs > step.untilMs);
          } else {
            nowMs = 100 * kept.length;
            kept = kept.map(({ frame }, index) => ({ frame, endMs: 100 * (index + 1) }));
            unheard.again();
          }
          expect(unheard.endMs).toBe(nowMs);
        }
        expect(unheard.again()).toEqual(kept.map(({ frame }) => frame));
      },
    ),
  );
});

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
