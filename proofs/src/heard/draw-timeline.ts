import type { Timeline, TimelineAct, TimelineTurn } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";
import { drawSentence } from "./texts.ts";
import type { Token } from "./texts.ts";

/** A talk to be played, and the words of its turns. */
export interface DrawnTimeline {
  timeline: Timeline;
  texts: Token[][];
}

export function drawTimeline(random: Random): DrawnTimeline {
  const turns = Array.from({ length: random.integer(1, 3) }, () => drawTurn(random));
  return {
    timeline: {
      language: random.pick(["en", "en-GB"]),
      latencyMs: random.chance(0.8) ? random.integer(2, 90) : random.integer(150, 700),
      lossRate: random.chance(0.7) ? 0 : random.pick([0.1, 0.5, 1]),
      doubleRate: random.chance(0.8) ? 0 : 0.3,
      chance: () => random.next(),
      turns: turns.map(({ turn }) => turn),
    },
    texts: turns.map(({ text }) => text),
  };
}

function drawTurn(random: Random): { turn: TimelineTurn; text: Token[] } {
  const sentences = Array.from({ length: random.integer(1, 2) }, () => drawSentence(random));
  const msALetter = random.integer(55, 75);
  const firstSoundMs = random.integer(20, 400);
  const chunkMs = random.pick([40, 100, 300]);
  const aboutMs = firstSoundMs + sentences.flat().length * 5 * msALetter;
  const turn: TimelineTurn = {
    sentences: sentences.map((tokens) => tokens.map(({ written }) => written).join(" ")),
    times: random.pick(["words", "words", "words", "halves", "sentences", "none"]),
    msALetter,
    firstSoundMs,
    chunkMs,
    // Mostly faster than it is played; now and then the visitor waits for it.
    chunkEveryMs: random.chance(0.9) ? chunkMs / random.integer(2, 8) : chunkMs * 1.2,
    gapMs: random.chance(0.5) ? 0 : random.integer(1, 600),
    cutBeforeEndMs: random.chance(0.1) ? random.integer(-60, 60) : undefined,
    acts: drawActs(random, { firstSoundMs, aboutMs }),
  };
  return { turn, text: sentences.flat() };
}

function drawActs(
  random: Random,
  { firstSoundMs, aboutMs }: { firstSoundMs: number; aboutMs: number },
): TimelineAct[] {
  const someTime = (): number => random.integer(0, aboutMs * 1.2);
  const cut = (atMs: number): TimelineAct => ({ atMs, act: "cut" });
  const atMs = someTime();
  const soonMs = atMs + random.integer(0, 50);
  const laterMs = atMs + random.integer(50, 1_500);
  switch (random.integer(0, 10)) {
    case 0:
      return [];
    case 1:
      return [cut(random.integer(0, firstSoundMs + 40))];
    case 2:
      return [cut(atMs), cut(soonMs)];
    case 3:
      return [
        { atMs, act: "pause" },
        { atMs: laterMs, act: "resume" },
      ];
    case 4:
      return [{ atMs, act: "pause" }, cut(laterMs)];
    case 5:
      return [
        { atMs, act: "pause" },
        { atMs: soonMs, act: "resume" },
        { atMs: laterMs, act: "pause" },
        cut(laterMs + 200),
      ];
    case 6:
      return [{ atMs, act: "vanish" }, cut(laterMs)];
    case 7:
      return [{ atMs, act: "pause" }, { atMs: soonMs, act: "vanish" }, cut(laterMs)];
    case 8:
      return [
        { atMs, act: "pause" },
        { atMs: laterMs, act: "resume" },
        cut(laterMs + random.integer(0, 600)),
      ];
    default:
      return [cut(atMs)];
  }
}
