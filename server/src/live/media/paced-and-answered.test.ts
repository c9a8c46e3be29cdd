import fc from "fast-check";
import { expect, test } from "vitest";
import { PlayingBrowser } from "./playing-browser.ts";
import { mediaUnderTest, sound } from "./media-under-test.ts";
import type { WsMedia } from "./ws-media.ts";

const step = fc.oneof(
  fc.record({ do: fc.constant("say" as const), ms: fc.integer({ min: 1, max: 3_000 }) }),
  fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 1_500 }) }),
  fc.record({ do: fc.constantFrom("flush" as const, "clear", "pause", "resume", "lose") }),
);

const manners = fc.record({
  latencyMs: fc.constantFrom(0, 20, 90),
  isSilentOnClear: fc.boolean(),
});

// V1, V8
test("however it is cut, sound stays near and every clear is answered once, in order", () => {
  fc.assert(
    fc.property(manners, fc.array(step, { maxLength: 25 }), (how, steps) => {
      const wrong: string[] = [];
      const cleared: number[] = [];
      let open = 0;
      let sentMs = 0;
      const { media, time, told, line } = mediaUnderTest((one) => {
        browser.receive(one);
        if (one instanceof Int16Array) {
          sentMs += one.length / 24;
          const aheadMs = sentMs - (browser.playedMs.get(open) ?? 0);
          if (aheadMs > 1_000 + 2 * how.latencyMs + 20) wrong.push(`${aheadMs} ms ahead`);
          if (cleared.includes(open)) wrong.push(`sound of segment ${open} after its clear`);
        } else if (one.type === "audio_start") {
          if (one.segment <= open) wrong.push(`segment ${one.segment} after ${open}`);
          open = one.segment;
          sentMs = 0;
        } else if (one.type === "audio_clear") cleared.push(one.segment);
      });
      const browser: PlayingBrowser = new PlayingBrowser(time, () => media, how);

      let clears = 0;
      // As a caller does it: the next segment only once the one before is over.
      let isFlushed = false;
      const isBusy = (): boolean => isFlushed && !/finished|cleared/.test(told.at(-1) ?? "");
      for (const one of steps) {
        if (one.do === "wait") time.advance(one.ms);
        else if (one.do === "say" && !isBusy()) {
          isFlushed = false;
          media.frame(sound(one.ms));
        } else if (one.do === "flush") {
          isFlushed = true;
          media.flush();
        } else if (one.do === "pause" || one.do === "resume") media[one.do]();
        else if (one.do === "clear" || one.do === "lose") {
          if (one.do === "lose") {
            line.connected = false;
            media.lost();
            browser.reload();
          }
          media.clear();
          clears += 1;
          time.advance(300);
          line.connected = true;
        }
        const answers = told.filter((it) => it.startsWith("cleared")).length;
        if (answers !== clears) wrong.push(`${answers} answers to ${clears} clears`);
      }
      if (browser.strayFrames > 0) wrong.push(`${browser.strayFrames} frames without a segment`);
      expect(wrong).toEqual([]);
      judgePositions(told);
    }),
  );
});

/** Of each segment they only rise. */
function judgePositions(told: string[]): void {
  let lastMs = 0;
  for (const one of told) {
    const ms = Number(one.split(" ")[1] ?? lastMs);
    expect(ms).toBeGreaterThanOrEqual(lastMs);
    lastMs = /finished|cleared/.test(one) ? 0 : ms;
  }
}

test("what is neither cut nor lost is played whole", () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(pieces, fc.constantFrom(0, 20, 90), (sizesMs, latencyMs) => {
      const heard: Int16Array[] = [];
      const { media, time, told } = mediaUnderTest((one) => {
        if (one instanceof Int16Array) heard.push(one);
        browser.receive(one);
      });
      const how = { latencyMs, isSilentOnClear: false };
      const browser: PlayingBrowser = new PlayingBrowser(time, (): WsMedia => media, how);
      for (const ms of sizesMs) {
        media.frame(sound(ms));
        time.advance(ms / 2);
      }
      media.flush();
      const wholeMs = sizesMs.reduce((sum, ms) => sum + ms, 0);
      time.advance(wholeMs + 5_000);
      expect(told.at(-1)).toBe(`finished ${wholeMs}`);
      expect(bytesOf(heard).equals(bytesOf(sizesMs.map(sound)))).toBe(true);
    }),
  );
});

function bytesOf(pieces: Int16Array[]): Buffer {
  return Buffer.concat(pieces.map(({ buffer }) => Buffer.from(buffer)));
}
