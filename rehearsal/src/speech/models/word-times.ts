import type { TimedWord } from "../sound.ts";

/**
 * When each word sounds, by flite's phones: `timed` is all of them, each with the second of its end ("pau:0.2 hh:0.31"), and
 * `perWord` those of each word with pauses between ("pau hh ax l ow pau"). Where the two differ, by the words' letters.
 */
export function wordTimes(words: readonly string[], timed: string, perWord: string): TimedWord[] {
  const phones = spokenPhones(timed);
  if (phones.length === 0) return words.map((text) => ({ text, startMs: 0, endMs: 0 }));
  const counts = perWord
    .split(/\bpau\b/)
    .map((group) => group.split(" ").filter(Boolean).length)
    .filter((count) => count > 0);
  const isExact = counts.length === words.length && sum(counts) === phones.length;
  const weights = isExact ? counts : words.map((word) => word.length);
  const phonesPerWeight = phones.length / sum(weights);
  let before = 0;
  return words.map((text, index) => {
    const first = Math.min(Math.round(before * phonesPerWeight), phones.length - 1);
    before += weights[index]!;
    const last = Math.max(first, Math.round(before * phonesPerWeight) - 1);
    return { text, startMs: phones[first]!.startMs, endMs: phones[last]!.endMs };
  });
}

function spokenPhones(timed: string): { startMs: number; endMs: number }[] {
  let startMs = 0;
  const spoken = [];
  for (const one of timed.split(" ")) {
    const [phone = "", endSecs = ""] = one.split(":");
    const endMs = Math.round(Number(endSecs) * 1_000);
    if (phone !== "pau" && Number.isFinite(endMs)) spoken.push({ startMs, endMs });
    startMs = endMs;
  }
  return spoken;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
