import type { Timeline, TimelineAct, TimelineTurn } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";

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
  const act = (name: TimelineAct["act"]) => (atMs: number) => ({ atMs, act: name });
  const [cut, pause, resume, vanish] = [act("cut"), act("pause"), act("resume"), act("vanish")];
  const atMs = random.integer(0, aboutMs * 1.2);
  const soonMs = atMs + random.integer(0, 50);
  const laterMs = atMs + random.integer(50, 1_500);
  return random.pick([
    [],
    [cut(atMs)],
    [cut(atMs)],
    [cut(random.integer(0, firstSoundMs + 40))],
    [cut(atMs), cut(soonMs)],
    [pause(atMs), resume(laterMs)],
    [pause(atMs), cut(laterMs)],
    [pause(atMs), resume(soonMs), pause(laterMs), cut(laterMs + 200)],
    [vanish(atMs), cut(laterMs)],
    [pause(atMs), vanish(soonMs), cut(laterMs)],
    [pause(atMs), resume(laterMs), cut(laterMs + random.integer(0, 600))],
  ]);
}

/** What stands between two spaces, and how many words of it are said. */
export interface Token {
  written: string;
  words: number;
}

/** A sentence of a model's, with all that a model may put into one. */
function drawSentence(random: Random): Token[] {
  const tokens = Array.from({ length: random.integer(1, 7) }, () => {
    const kind = random.next();
    if (kind < 0.6) return random.pick(PLAIN);
    if (kind < 0.75) return random.pick(OTHER_SCRIPTS);
    if (kind < 0.87) return random.pick(SIGNS);
    return random.pick(ODD);
  });
  const last = tokens.pop()!;
  return [...tokens, { ...last, written: `${last.written}${random.pick([".", "!", "?", "…"])}` }];
}

function tokensOf(words: number, written: string): Token[] {
  return written.split(" ").map((one) => ({ written: one, words }));
}

const PLAIN = tokensOf(
  1,
  "we plans don't (mostly) well-known “quoted” naïve Zürich, straße a the customers it: —so— I e\u0301te\u0301 A\u030Angstro\u0308m",
);
const OTHER_SCRIPTS = tokensOf(
  1,
  "שלום עולם, مرحبا العربية 日本語 我们。 한국어 नमस्ते क्षि กำลัง \u{20000}\u{20001}",
);
const SIGNS = [
  ...tokensOf(2, "$29 15% 24/7"),
  ...tokensOf(5, "sales@acme.com"),
  ...tokensOf(7, "https://www.acme.com/a-b"),
  ...tokensOf(1, "1️⃣ **bold** Great🎉"),
];
/** Halves of characters, NUL, and what is seen but not said. */
const ODD = [
  ...tokensOf(1, "wo\uDC00rd a\0b \uD83Dx"),
  ...tokensOf(0, "🎉 👩🏽‍💻 🇩🇪 ** \uD83D \0 \u202E ☕️"),
];
