import type { TestDatabase } from "@svc/server/testing";
import type { Answer } from "./rush.ts";

/** One limit, and how many of the clicks it lets through. */
export interface Round {
  limit: string;
  account: Record<string, number>;
  agent?: { atOnce?: number; dailyStarts?: number; dailyCost?: number };
  /** From how many addresses the clicks come. */
  addresses: number;
  /** In all, and from each address where that is what counts. */
  started: number;
  perAddress?: number;
  reason: "at_capacity" | "too_many_starts" | "daily_cap";
  /** What the agent has spent before, in millionths. */
  spentMicros?: number;
}

const ADDRESSES = 12;

/** Two clicks from each address, of which one is let in: the two meet in two processes at the same moment. */
export function pairs(clicks: number): Round {
  return {
    limit: "at once from an address, in pairs",
    account: { at_once_per_address: 1 },
    addresses: clicks / 2,
    started: clicks / 2,
    perAddress: 1,
    reason: "too_many_starts",
  };
}

export const ROUNDS: Round[] = [
  {
    limit: "at once with an agent",
    account: { at_once_per_agent: 40 },
    agent: { atOnce: 25 },
    addresses: ADDRESSES,
    started: 25,
    reason: "at_capacity",
  },
  {
    limit: "at once from an address",
    account: { at_once_per_address: 5 },
    addresses: ADDRESSES,
    started: 5 * ADDRESSES,
    perAddress: 5,
    reason: "too_many_starts",
  },
  {
    limit: "in a minute from an address",
    account: { starts_per_minute_per_address: 7 },
    addresses: ADDRESSES,
    started: 7 * ADDRESSES,
    perAddress: 7,
    reason: "too_many_starts",
  },
  {
    limit: "in a day",
    account: { daily_starts_per_agent: 33 },
    addresses: ADDRESSES,
    started: 33,
    reason: "daily_cap",
  },
  {
    limit: "of a day's money",
    account: { daily_cost_micros_per_agent: 1_000_000 },
    spentMicros: 1_000_000,
    addresses: ADDRESSES,
    started: 0,
    reason: "daily_cap",
  },
];

const LIFTED = {
  starts_per_minute_per_address: null,
  at_once_per_address: null,
  at_once_per_agent: null,
};

/** No limit holds but those of the round. */
export function accountLimits({ account }: Pick<Round, "account">): string {
  return JSON.stringify({ ...LIFTED, ...account });
}

/** What the database holds of one agent's starts. */
interface Stored {
  sessions: number;
  ended: number;
  countedToday: number;
  byAddress: Record<string, number>;
}

/** Everything that is not as the round says. */
export async function judgeRound(
  database: TestDatabase,
  round: Round,
  agentId: string,
  answers: Answer[],
): Promise<string[]> {
  const stored = await read(database, agentId);
  const faults: string[] = [];
  const expect = (what: string, is: unknown, should: unknown): void => {
    if (is !== should) faults.push(`${round.limit}: ${what} ${String(is)}, not ${String(should)}`);
  };
  expect("sessions", stored.sessions, round.started);
  expect("counted for the day", stored.countedToday, round.started);
  expect("ended", stored.ended, 0);
  const started = answers.filter(({ outcome }) => outcome === "started");
  expect(
    "sessions told of",
    new Set(started.map(({ sessionId }) => sessionId)).size,
    round.started,
  );
  const reasons = new Set(answers.map(({ outcome }) => outcome).filter((one) => one !== "started"));
  expect("refused for", [...reasons].join(" and "), round.reason);
  for (const [key, sessions] of byKey(answers)) expect(`answers to ${key}`, sessions.size, 1);
  if (round.perAddress !== undefined) {
    for (const [address, count] of Object.entries(stored.byAddress))
      expect(`sessions from ${address}`, count, round.perAddress);
  }
  return faults;
}

/** How many sessions more than allowed. */
export async function overshoot(
  database: TestDatabase,
  round: Round,
  agentId: string,
): Promise<number> {
  return (await read(database, agentId)).sessions - round.started;
}

/** Each key's sessions, and `undefined` where it was refused: one of these for all its requests. */
function byKey(answers: Answer[]): Map<string, Set<string | undefined>> {
  const keys = new Map<string, Set<string | undefined>>();
  for (const { key, sessionId } of answers)
    keys.set(key, (keys.get(key) ?? new Set()).add(sessionId));
  return keys;
}

async function read({ pool }: TestDatabase, agentId: string): Promise<Stored> {
  const { rows } = await pool.query<{ address: string; sessions: number; ended: number }>(
    `SELECT address, count(*)::integer AS sessions, count(ended_at)::integer AS ended
     FROM sessions JOIN visits ON session_id = id WHERE sessions.agent_id = $1 GROUP BY address`,
    [agentId],
  );
  const today = await pool.query<{ starts: number }>(
    "SELECT starts FROM agent_days WHERE agent_id = $1",
    [agentId],
  );
  const sum = (of: "sessions" | "ended"): number => rows.reduce((all, row) => all + row[of], 0);
  return {
    sessions: sum("sessions"),
    ended: sum("ended"),
    countedToday: today.rows[0]?.starts ?? 0,
    byAddress: Object.fromEntries(rows.map(({ address, sessions }) => [address, sessions])),
  };
}
