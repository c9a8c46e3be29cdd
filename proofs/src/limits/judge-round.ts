import type { TestDatabase } from "@svc/server/testing";
import type { Round } from "./rounds.ts";
import type { Answer } from "./rush.ts";

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
