import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Playback } from "./playback.ts";
import type { PlaybackEnd } from "./playback.ts";
import { Utterance } from "./utterance.ts";

const FRAME_MS = 100;
const FRAME = new Int16Array(24 * FRAME_MS);

/** A playback over media that only write down what they are told. */
function open(): {
  playback: Playback;
  sent: string[];
  ends: PlaybackEnd[];
  heard: string[];
  starts: () => number;
  tick: () => void;
} {
  const sent: string[] = [];
  const ends: PlaybackEnd[] = [];
  const heard: string[] = [];
  let starts = 0;
  let waiting: (() => void)[] = [];
  const playback = new Playback({
    media: {
      frame: () => void sent.push("frame"),
      flush: () => void sent.push("flush"),
      clear: () => void sent.push("clear"),
      pause: () => void sent.push("pause"),
      resume: () => void sent.push("resume"),
    },
    onStarted: () => void (starts += 1),
    onHeard: (_utterance, text) => void heard.push(text),
    onOver: (end) => void ends.push(end),
    soon: (run) => void waiting.push(run),
  });
  const tick = (): void => {
    const due = waiting;
    waiting = [];
    for (const run of due) run();
  };
  return { playback, sent, ends, heard, starts: () => starts, tick };
}

/** "one two three…", a word for every frame. */
function utteranceOf(words: string): Utterance {
  const utterance = new Utterance("en");
  for (const [at, text] of utterance.say(words).split(" ").entries())
    utterance.timed([{ text, startMs: at * FRAME_MS, endMs: (at + 1) * FRAME_MS }]);
  return utterance;
}

function play(playback: Playback, utterance: Utterance, frames: number): void {
  for (let frame = 0; frame < frames; frame += 1) {
    utterance.addAudio(FRAME_MS);
    playback.frame(FRAME, utterance);
  }
}

function playWhole(playback: Playback, words: string): Utterance {
  const utterance = utteranceOf(words);
  play(playback, utterance, words.split(" ").length);
  utterance.complete();
  playback.flush();
  return utterance;
}

describe("an utterance", () => {
  it("that was played is heard as it was written", () => {
    const { playback, ends, heard, starts, sent } = open();
    const utterance = playWhole(playback, "One two three.");
    playback.started();
    playback.position(120);
    playback.position(110);
    playback.position(160);
    playback.finished(300);
    expect(heard).toEqual(["One", "One two"]);
    expect(ends).toEqual([
      { utterance, positionMs: 300, interrupted: false, heard: "One two three." },
    ]);
    expect(starts()).toBe(1);
    expect(sent).toEqual(["frame", "frame", "frame", "flush"]);
  });

  it("that is cut ends where the visitor's side stopped, and its late sound is dropped", () => {
    const { playback, ends, sent } = open();
    const utterance = utteranceOf("One two three.");
    play(playback, utterance, 2);
    playback.position(80);
    playback.clear();
    playback.clear();
    expect(ends).toEqual([]);
    play(playback, utterance, 1);
    playback.cleared(160);
    playback.cleared(160);
    play(playback, utterance, 1);
    expect(ends).toEqual([{ utterance, positionMs: 160, interrupted: true, heard: "One two" }]);
    expect(sent).toEqual(["frame", "frame", "clear"]);
  });

  it("is not heard farther than it was sent", () => {
    const { playback, ends } = open();
    play(playback, utteranceOf("One two three."), 1);
    playback.clear();
    playback.cleared(90_000);
    expect(ends).toMatchObject([{ positionMs: 100, heard: "One" }]);
  });

  it("that was heard to its end is not cut by a clear that comes with it", () => {
    // V8
    const { playback, ends } = open();
    playWhole(playback, "One two.");
    playback.clear();
    playback.finished(200);
    playback.cleared(200);
    playWhole(playback, "Three.");
    playback.clear();
    playback.cleared(100);
    expect(ends).toMatchObject([
      { interrupted: false, heard: "One two." },
      { interrupted: false, heard: "Three." },
    ]);
  });

  it("is cut where the voice had more to say, though all that was sent was played", () => {
    const { playback, ends } = open();
    play(playback, utteranceOf("One two three."), 2);
    playback.flush();
    playback.clear();
    playback.cleared(200);
    expect(ends).toMatchObject([{ interrupted: true, heard: "One two" }]);
  });

  it("that nobody was there for to its end is cut as well", () => {
    // V1
    const { playback, ends } = open();
    playWhole(playback, "One two three.");
    playback.position(120);
    playback.finished(160);
    expect(ends).toMatchObject([{ positionMs: 160, interrupted: true, heard: "One two" }]);
  });

  it("whose voice broke off was not cut", () => {
    // L11
    const { playback, ends } = open();
    play(playback, utteranceOf("One two three."), 2);
    playback.flush();
    playback.finished(200);
    expect(ends).toMatchObject([{ interrupted: false, heard: "One two" }]);
  });

  it("has started when a position is told, should that have been lost", () => {
    const { playback, starts } = open();
    playWhole(playback, "One.");
    playback.position(0);
    expect(starts()).toBe(0);
    playback.position(20);
    playback.started();
    expect(starts()).toBe(1);
  });
});

describe("a clear", () => {
  it("before the first frame does nothing", () => {
    // V8
    const { playback, ends, sent } = open();
    playback.clear();
    playback.cleared(0);
    playback.flush();
    expect(ends).toEqual([]);
    expect(sent).toEqual([]);
  });

  it("of what stands still settles at once, and its answer is not taken for another's", () => {
    const { playback, ends, sent } = open();
    playWhole(playback, "One two three.");
    playback.pause();
    playback.paused(160);
    playback.clear();
    expect(ends).toMatchObject([{ positionMs: 160, interrupted: true, heard: "One two" }]);
    playWhole(playback, "Four five.");
    playback.clear();
    playback.cleared(160);
    expect(ends).toHaveLength(1);
    playback.cleared(60);
    expect(ends[1]).toMatchObject({ positionMs: 60, heard: "Four" });
    expect(sent).not.toContain("resume");
  });

  it("takes back a resume that came just before it", () => {
    const { playback, sent, tick } = open();
    playWhole(playback, "One two three.");
    playback.pause();
    playback.resume();
    playback.clear();
    tick();
    expect(sent.slice(-2)).toEqual(["pause", "clear"]);
  });

  it("leaves a pause alone that waits for what comes", () => {
    const { playback, sent, ends, tick } = open();
    playback.pause();
    playback.resume();
    playback.clear();
    tick();
    expect(sent).toEqual(["pause", "resume"]);
    playback.pause();
    playWhole(playback, "One.");
    playback.clear();
    expect(ends).toMatchObject([{ positionMs: 0, heard: "" }]);
  });
});

describe("a pause", () => {
  it("is sent once, and ends with a resume after a tick", () => {
    const { playback, sent, tick } = open();
    playWhole(playback, "One.");
    playback.resume();
    playback.pause();
    playback.pause();
    playback.paused(50);
    playback.resume();
    expect(sent.at(-1)).toBe("pause");
    tick();
    expect(sent.slice(2)).toEqual(["pause", "resume"]);
  });

  it("goes on when it comes again before that tick", () => {
    const { playback, sent, tick } = open();
    playback.pause();
    playback.resume();
    playback.pause();
    tick();
    expect(sent).toEqual(["pause"]);
  });

  it("is not where an earlier one was, whose answer comes late", () => {
    const { playback, ends, tick } = open();
    playWhole(playback, "One two three.");
    playback.pause();
    playback.resume();
    tick();
    playback.pause();
    playback.paused(60);
    playback.clear();
    expect(ends).toEqual([]);
    playback.cleared(160);
    expect(ends).toMatchObject([{ positionMs: 160, heard: "One two" }]);
  });

  it("that is over does not settle a later clear", () => {
    const { playback, ends, tick } = open();
    playWhole(playback, "One two three.");
    playback.pause();
    playback.resume();
    tick();
    playback.paused(60);
    playback.clear();
    expect(ends).toEqual([]);
    playback.cleared(160);
    expect(ends).toMatchObject([{ positionMs: 160 }]);
  });
});

it("holds its rules in any order of calls and answers", () => {
  // V5, V8
  const call = fc.constantFrom("frame", "next", "flush", "clear", "pause", "resume", "tick");
  const answer = fc.constantFrom("started", "position", "paused", "finished", "cleared");
  const step = fc.tuple(fc.oneof(call, answer), fc.integer({ min: -50, max: 600 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { playback, sent, ends, tick } = open();
      let utterance = utteranceOf("One two three four.");
      const framesOf = new Map<Utterance, number>();
      let lateFrames = 0;
      for (const [name, ms] of steps) {
        if (name === "next") utterance = utteranceOf("Five six seven eight.");
        else if (name === "tick") tick();
        else if (name === "frame") {
          const isOver = ends.some((end) => end.utterance === utterance);
          const before = sent.length;
          play(playback, utterance, 1);
          const frames = sent.slice(before).filter((one) => one === "frame").length;
          framesOf.set(utterance, (framesOf.get(utterance) ?? 0) + frames);
          if (isOver) lateFrames += frames;
        } else playback[name](ms);
      }
      playback.clear();
      for (const one of sent) if (one === "clear") playback.cleared(0);

      expect(new Set(ends.map((end) => end.utterance)).size).toBe(ends.length);
      expect(ends).toHaveLength(framesOf.size);
      expect(lateFrames).toBe(0);
      for (const { utterance: over, positionMs, heard } of ends) {
        expect(positionMs).toBeLessThanOrEqual(framesOf.get(over)! * FRAME_MS);
        expect(over.written.startsWith(heard)).toBe(true);
      }
      expect(sent.filter((one) => /pause|resume|clear/.test(one)).join(" ")).not.toMatch(
        /pause pause|resume resume|clear resume/,
      );
    }),
    { numRuns: 2_000 },
  );
});
