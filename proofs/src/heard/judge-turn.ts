import type { TimelineOutcome, Timeline, TimelineTurn } from "@svc/server/testing";
import type { Token } from "./draw-timeline.ts";

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
