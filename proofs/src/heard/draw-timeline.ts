import type { Timeline, TimelineAct, TimelineOutcome, TimelineTurn } from "@svc/server/testing";
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

/** How many words too many a turn may have, by what its voice told of its sound. */
const SLACK_WORDS = { words: 0, halves: 1, sentences: 2, none: 4 };
const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/** What is wrong with a turn as it was stored, in a few words each. */
export function judgeTurn(
  played: TimelineOutcome,
  { turn, text, timeline }: { turn: TimelineTurn; text: Token[]; timeline: Timeline },
): string[] {
  const { stored, words, heardMs, knownMs, isComplete, ends } = played;
  const faults: string[] = [];
  const must = (isSo: boolean, otherwise: string): void => void (isSo || faults.push(otherwise));
  if (stored === undefined) {
    must(heardMs === 0, "heard, not stored");
    must(ends === 0 && (!isComplete || words.length === 0), "never ended");
    return faults;
  }
  const { content, interrupted } = stored;
  const whole = storedAs(text);
  must(ends === 1, "ended twice");
  must(isClean(content, whole), "not a clean prefix");
  must(content.isWellFormed() && !content.includes("\0"), "cannot be stored");
  must(interrupted === !(isComplete && content === whole), "wrongly flagged");
  must(knownMs <= heardMs + 1, "knows more than was heard");
  const isAnswered = timeline.lossRate === 0 && timeline.latencyMs < 140 && !played.isVanished;
  must(!isAnswered || knownMs > heardMs - 1, "ignores where it stopped");

  const known = storedAs(upTo(text, wordsHeard(words, knownMs)));
  if (turn.times === "words") {
    const isWhole = isComplete && content === whole && storedAs(upTo(text, words.length)) === known;
    must(isWhole || content === known, "not what was played");
  }
  const heard = wordsHeard(words, heardMs) + SLACK_WORDS[turn.times];
  const most = heard < words.length ? storedAs(upTo(text, heard)) : whole;
  must(most.startsWith(content), "more than was played");
  return faults;
}

/** Words whose middle has been played. */
function wordsHeard(words: TimelineOutcome["words"], positionMs: number): number {
  const unheard = words.findIndex(({ startMs, endMs }) => (startMs + endMs) / 2 > positionMs);
  return positionMs > 0 ? (unheard === -1 ? words.length : unheard) : 0;
}

/** Up to the last token that was said completely. */
function upTo(text: Token[], words: number): Token[] {
  let said = 0;
  let end = 0;
  for (const [at, token] of text.entries()) {
    said += token.words;
    if (said > words) break;
    if (token.words > 0) end = at + 1;
  }
  return text.slice(0, end);
}

function storedAs(text: Token[]): string {
  return text
    .map(({ written }) => written)
    .join(" ")
    .toWellFormed()
    .replaceAll("\0", "\uFFFD");
}

/** Cut between characters as people see them, without a space at its end. */
function isClean(content: string, whole: string): boolean {
  if (!whole.startsWith(content) || content.trim() !== content) return false;
  const next = GRAPHEMES.segment(whole).containing(content.length);
  return next === undefined || next.index === content.length;
}
