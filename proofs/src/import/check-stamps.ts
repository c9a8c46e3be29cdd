import type { TestDatabase } from "@svc/server/testing";

/** One session of a file, in the file's order: when it was said to start and where it stands now. */
export interface Stamped {
  givenMs: number;
  atMs: number;
}

export interface StampReport {
  /** Broken rules, in words, at most a few of each. */
  broken: string[];
  moved: number;
  mostMs: number;
}

const MAX_IN_SECOND = 99;

/**
 * Holds the stamps of an account against the rules, knowing nothing of how they were allotted.
 *
 * @param othersMs stamps of sessions that were there before.
 * @param ascending the file was in order of its times, so its order must have stayed.
 */
export function checkStamps(
  stamped: Stamped[],
  othersMs: number[],
  ascending: boolean,
): StampReport {
  const broken: string[] = [];
  const perSecond = new Map<number, number>();
  for (const atMs of [...othersMs, ...stamped.map((one) => one.atMs)])
    perSecond.set(secondOf(atMs), (perSecond.get(secondOf(atMs)) ?? 0) + 1);
  const isFull = (second: number): boolean => (perSecond.get(second) ?? 0) >= MAX_IN_SECOND;

  for (const [second, count] of perSecond)
    if (count > MAX_IN_SECOND) broken.push(`${count} sessions in second ${second}`);
  for (const [index, { givenMs, atMs }] of stamped.entries()) {
    const say = (words: string): void =>
      void broken.push(`session ${index} (${givenMs} → ${atMs}) ${words}`);
    const previous = stamped[index - 1];
    if (atMs % 1_000 === 0) say("is on a whole second");
    if (atMs < givenMs) say("is earlier than given");
    if (atMs === givenMs) continue;
    const follows =
      previous !== undefined && previous.givenMs <= givenMs && previous.atMs >= givenMs;
    if (givenMs % 1_000 !== 0 && !isFull(secondOf(givenMs)) && !follows) say("moved for nothing");
    // A few milliseconds may cross the end of a second that still has room.
    if (atMs - givenMs < MAX_IN_SECOND) continue;
    for (let second = secondOf(givenMs); second < secondOf(atMs); second++)
      if (!isFull(second)) say(`passed second ${second}, which has room`);
  }
  if (ascending) {
    for (const [index, { givenMs, atMs }] of stamped.entries()) {
      const previous = stamped[index - 1];
      if (previous === undefined) continue;
      const isTie = givenMs === previous.givenMs && atMs === givenMs;
      if (atMs < previous.atMs || (atMs === previous.atMs && !isTie))
        broken.push(`session ${index} (${givenMs} → ${atMs}) is not behind the one before it`);
    }
  }
  return {
    broken,
    moved: stamped.filter(({ givenMs, atMs }) => atMs !== givenMs).length,
    mostMs: stamped.reduce((most, { givenMs, atMs }) => Math.max(most, atMs - givenMs), 0),
  };
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1_000);
}

/** Changes when any row of a session, a clock or the audit does. */
export async function tableDigest({ pool }: TestDatabase): Promise<string> {
  const digests = await Promise.all(
    ["sessions", "session_exports", "account_clocks", "audit", "turns"].map(async (table) => {
      const { rows } = await pool.query<{ digest: string | null }>(
        `SELECT md5(string_agg(md5(t::text), '' ORDER BY t::text)) AS digest FROM ${table} AS t`,
      );
      return rows[0]!.digest ?? "";
    }),
  );
  return digests.join("-");
}
