import { pageNameOf } from "#platform";
import type { Db } from "#platform";
import { digestDue } from "./digest.ts";
import { selectTallies, selectTimes, selectUnsettled } from "./tallies-store.ts";
import type {
  SessionTally,
  TalliesDimension,
  TalliesFilter,
  UnsettledSession,
} from "./tallies-store.ts";

export type { SessionTally, TalliesDimension, TalliesFilter } from "./tallies-store.ts";

/**
 * How far sessions came that visitors started, and what all of them cost. Settled ones are in the
 * sums of their days, and are not read again; those that go on are read as they are. Erased ones are
 * not counted.
 */
export async function tallySessions(
  db: Db,
  filter: TalliesFilter,
  by?: TalliesDimension,
): Promise<SessionTally[]> {
  await digestDue(db);
  const tallies = new Map((await selectTallies(db, filter, by)).map((one) => [one.value, one]));
  for (const session of await selectUnsettled(db, filter)) {
    const value = by === undefined ? null : valueOf(session, by);
    const tally = tallies.get(value) ?? { ...NOTHING, value };
    tallies.set(value, tally);
    tally.started += 1;
    tally.microphone += Number(session.microphone);
    tally.talked += Number(session.talked);
    tally.emailGiven += Number(session.emailGiven);
  }
  return [...tallies.values()];
}

export const NOTHING: SessionTally = {
  value: null,
  started: 0,
  microphone: 0,
  talked: 0,
  emailGiven: 0,
  evaluated: 0,
  qualified: 0,
  delivered: 0,
  failed: 0,
  unanswered: 0,
  costMicros: 0,
  unpriced: 0,
};

function valueOf(session: UnsettledSession, by: TalliesDimension): string | null {
  if (by === "day") return session.createdAt.toISOString().slice(0, 10);
  if (by === "agent") return session.agentId;
  if (by !== "page") return session[by];
  return session.page === null ? null : (pageNameOf(session.page) ?? null);
}

/** Half of them took at most `p50Ms`, and 95 of a hundred at most `p95Ms`. */
export interface Spread {
  count: number;
  p50Ms: number;
  p95Ms: number;
}

export interface SessionTimes {
  /** `null` where it was not broken down. */
  value: string | null;
  /** From the end of the visitor's words to the first of the answer's, heard or read. */
  answers: Spread | undefined;
  /** From when the visitor's voice was noticed to the silence of their browser. */
  cuts: Spread | undefined;
}

/** How long visitors waited in settled sessions, to about one part in fifty. */
export async function sessionTimes(
  db: Db,
  filter: TalliesFilter,
  by?: "day" | "agent",
): Promise<SessionTimes[]> {
  const counts = Map.groupBy(await selectTimes(db, filter, by), ({ value }) => value);
  return Array.from(counts, ([value, times]) => ({
    value,
    answers: spreadOf(times.filter(({ kind }) => kind === "answer")),
    cuts: spreadOf(times.filter(({ kind }) => kind === "cut")),
  }));
}

/** @param times in their order */
function spreadOf(times: { ms: number; count: number }[]): Spread | undefined {
  const total = times.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return undefined;
  const upTo = (percent: number): number => {
    let passed = 0;
    return times.find(({ count }) => (passed += count) * 100 >= percent * total)!.ms;
  };
  return { count: total, p50Ms: upTo(50), p95Ms: upTo(95) };
}
