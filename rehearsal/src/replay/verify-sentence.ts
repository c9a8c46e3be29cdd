import { hash } from "node:crypto";
import { bare, isPart } from "./talk.ts";
import type { Sentence } from "./talk.ts";

/** How good a verifier is. */
export interface Verifying {
  /** Of its answers, each by itself, from 0 to 1. */
  wrongShare: number;
  /** Of its answers those that come when nobody waits any more. */
  lateShare: number;
  /** Approves of everything: a control. */
  isBlind?: boolean;
}

const WORDS: Record<string, string> = { asked_again: "asked", secret: "secret", human: "human" };

/** The one word of a verifier that reads well: as the talk labels the sentence, `ok` for one that it does not have. */
export function honestVerdict(sentence: string, known: Sentence[]): string {
  const all = known.flatMap(({ again, ...one }) => [one, ...(again ? [{ ...one, ...again }] : [])]);
  const found = all.filter(({ say }) => isPart(say, sentence));
  const exact = found.filter(({ say }) => bare(say) === bare(sentence));
  const bad = (exact.length > 0 ? exact : found).find(({ must }) => must === "hold");
  return bad === undefined ? "ok" : (WORDS[bad.kind ?? ""] ?? "invented");
}

/** The same verdict with the errors of a verifier, drawn by the occasion, in whatever order it is asked. */
export function drawVerdict(
  honest: string,
  { wrongShare, lateShare, isBlind }: Verifying,
  occasion: string,
): { word: string; isLate: boolean; isWrong: boolean } {
  const lot = (what: string): number =>
    Number.parseInt(hash("sha256", `${what} ${occasion}`, "hex").slice(0, 8), 16) / 2 ** 32;
  if (isBlind === true) return { word: "ok", isLate: false, isWrong: honest !== "ok" };
  const isWrong = lot("wrong") < wrongShare;
  const others = ["invented", "asked", "secret", "human"];
  const wrong = honest === "ok" ? others[Math.floor(lot("word") * others.length)]! : "ok";
  return { word: isWrong ? wrong : honest, isWrong, isLate: lot("late") < lateShare };
}
