import { setTimeout as delay } from "node:timers/promises";
import { loadBareAgentSession } from "@svc/server/testing";
import { waitUntil } from "./arrivals.ts";
import { askFor } from "./cut-sentence.ts";
import { SENTENCES } from "./sentences.ts";
import type { Talks, TalkStage } from "./talk-stage.ts";
import { wordsBy, wordsIn } from "./words.ts";
import type { Word } from "./words.ts";

const PLAYED_MS = 1_200;
const VISITORS = 3;
/** A lost socket is known at once, and every clear is answered within 300 ms. */
const SETTLED_MS = 2_000;

/** Visitors vanish in the middle of a sentence. Returns how many words were stored that they had not heard. */
export async function vanishFromOurs(
  stage: TalkStage,
  { enter }: Talks,
  times: Word[][],
): Promise<number> {
  const gone = Array.from({ length: VISITORS }, async (_, sentence) => {
    const visitor = await enter();
    const segment = await askFor(visitor, sentence);
    await waitUntil(() => segment.playedMs >= PLAYED_MS, 5_000);
    visitor.vanish();
    await delay(SETTLED_MS);
    const stored = (await stage.agentTurns(visitor.id)).at(-1) ?? "";
    // What they heard must not be lost either.
    if (!SENTENCES[sentence]!.startsWith(stored)) return Infinity;
    return Math.max(0, wordsIn(stored) - wordsBy(times[sentence]!, segment.playedMs));
  });
  return sum(await Promise.all(gone));
}

/** The same with the library's own session. */
export async function vanishFromBare(times: Word[][]): Promise<number> {
  const { BareAgentSession } = await loadBareAgentSession();
  const gone = Array.from({ length: VISITORS }, async (_, sentence) => {
    const session = await BareAgentSession.start({ quietMs: 250, cutAfterMs: 300 });
    await session.say(SENTENCES[sentence]!, 6_000);
    await delay(PLAYED_MS);
    const { stored, playedMs } = await session.cut();
    await session.close();
    return wordsIn(stored) - wordsBy(times[sentence]!, playedMs);
  });
  return sum(await Promise.all(gone));
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
