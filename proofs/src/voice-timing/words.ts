import type { speak } from "@svc/rehearsal";

export type Word = Awaited<ReturnType<typeof speak>>["words"][number];

/** Those whose middle has been played. */
export function wordsBy(words: Word[], playedMs: number): number {
  return words.filter(({ startMs, endMs }) => (startMs + endMs) / 2 <= playedMs).length;
}

export function wordsIn(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
