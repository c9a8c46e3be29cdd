import { setTimeout as delay } from "node:timers/promises";
import type { TestDatabase } from "@svc/server/testing";
import { BY_TONES } from "../voice/read-sound.ts";
import type { Vanished, Vanishing } from "./vanishing-visitor.ts";

interface StoredTurn {
  content: string;
  interrupted: boolean;
}

/** A report every 250 ms, and a word that was being said. Nobody knows what was in reports that are lost. */
const MOST_UNTOLD_MS: Record<Vanishing, number> = {
  "socket cut": 1_000,
  "machine asleep": 1_000,
  "socket cut, half of its reports lost": Number.POSITIVE_INFINITY,
};
const TONE_MS = 60;
const LOOK_MS = 250;

/** What is stored of a talk and was not heard, or was heard and is not stored. */
export async function judgeTurns(
  { pool }: TestDatabase,
  { sessionId, how, heard }: Vanished,
): Promise<string[]> {
  const { rows: turns } = await pool.query<StoredTurn>(
    "SELECT content, interrupted FROM turns WHERE session_id = $1 AND role = 'assistant' ORDER BY seq",
    [sessionId],
  );
  const faults: string[] = [];
  for (const [index, segment] of heard.entries()) {
    const words = await BY_TONES.wordsIn(segment.pcm);
    const turn = turns[index];
    const isLast = index === heard.length - 1;
    const mostUntoldMs = isLast ? MOST_UNTOLD_MS[how] : 0;
    if (turn === undefined) {
      if (segment.playedMs > mostUntoldMs) {
        faults.push(`${how}: ${Math.round(segment.playedMs)} ms were heard and nothing is stored`);
      }
      continue;
    }
    faults.push(
      ...judgeTurn(turn, { words, isLast, mostUntoldMs }).map((fault) => `${how}: ${fault}`),
    );
  }
  if (turns.length > heard.length) faults.push(`${how}: a turn that was never played is stored`);
  return faults;
}

/** The agent is never cut before the visitor is gone: only the last turn may be short. */
function judgeTurn(
  { content, interrupted }: StoredTurn,
  heard: { words: string[]; isLast: boolean; mostUntoldMs: number },
): string[] {
  const { words, isLast, mostUntoldMs } = heard;
  const stored = BY_TONES.wordsOf(content);
  // The tone of the last word may have been cut short.
  const certain = isLast ? stored.slice(0, -1) : stored;
  if (stored.length > words.length || certain.some((word, at) => word !== words[at])) {
    return [`"${content}" is stored, and ${words.length} words were heard`];
  }
  const untoldMs = words
    .slice(stored.length, -1)
    .reduce((sum, letters) => sum + (Number(letters) + 1) * TONE_MS, 0);
  if (untoldMs > mostUntoldMs) {
    return [`after "${content}" ${untoldMs} ms more were heard`];
  }
  if (interrupted && !isLast) return [`"${content}" is marked as cut`];
  if (!interrupted && !/[.!?]$/.test(content)) return [`"${content}" is not marked as cut`];
  return [];
}

/** How long after the visitor the session was gone; a fault where it is not in time, or for another reason. */
export async function awaitEnd(
  { pool }: TestDatabase,
  { sessionId, how, atMs }: Vanished,
  withinMs: number,
): Promise<{ tookMs: number } | { fault: string }> {
  for (;;) {
    const { rows } = await pool.query<{ endedAt: Date | null; reason: string | null }>(
      `SELECT ended_at AS "endedAt", end_reason AS reason FROM sessions WHERE id = $1`,
      [sessionId],
    );
    const { endedAt, reason } = rows[0]!;
    if (endedAt !== null) {
      return reason === "visitor_gone"
        ? { tookMs: endedAt.getTime() - atMs }
        : { fault: `${how}: ended as ${reason}` };
    }
    if (Date.now() > atMs + withinMs) return { fault: `${how}: the session has not ended` };
    await delay(LOOK_MS);
  }
}
