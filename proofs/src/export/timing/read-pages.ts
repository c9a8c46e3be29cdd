import { seedBulk } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";

/** Somebody who reads the export without pause, and how long each page took. */
export interface PageReading {
  /** From now on pages count for this; undefined: for nothing. One that began before does not. */
  count(turn: string | undefined): void;
  times(turn: string): number[];
  stop(): void;
}

/** Small ones, so that there are many to compare. */
const PAGE = 25;

export function readPages(options: {
  url: string;
  token: string;
  since: () => number;
}): PageReading {
  const { url, token, since } = options;
  const times = new Map<string, number[]>();
  let turn: string | undefined;
  const stopping = new AbortController();
  const read = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const began = turn;
      const startedAt = performance.now();
      const response = await fetch(`${url}/v1/sessions.json?limit=${PAGE}&since=${since()}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`the export answered ${response.status}`);
      if (began === undefined || began !== turn) continue;
      times.set(began, [...(times.get(began) ?? []), performance.now() - startedAt]);
    }
  };
  // What goes wrong after the end is no news.
  read().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    count: (next) => void (turn = next),
    times: (which) => times.get(which) ?? [],
    stop: () => stopping.abort(),
  };
}

/** How long ago the old ones were: more than the 365 days that an account keeps them. */
const OLD_DAYS = 400;

/** Fills an account with sessions that it keeps no longer, with their turns, tool calls and evaluations. */
export async function seedOld(
  { pool }: TestDatabase,
  customer: Customer,
  count: number,
  onProgress: (done: number) => void,
): Promise<void> {
  const day = Date.now() - OLD_DAYS * 86_400_000;
  const firstAt = new Date(day - (day % 86_400_000) + 3_600_000);
  await pool.query("SELECT make_log_partitions($1::date)", [firstAt.toISOString().slice(0, 10)]);
  await seedBulk(pool, customer, count, firstAt, onProgress);
  for (const fill of [TURNS, EVENTS, EVALUATIONS]) await pool.query(fill, [customer.account.id]);
  await pool.query(
    "VACUUM (ANALYZE) sessions, session_exports, turns, session_events, evaluations",
  );
}

const OLD =
  "SELECT * FROM sessions WHERE account_id = $1 AND created_at < now() - interval '366 days'";
const TURNS = `
  INSERT INTO turns (session_at, session_id, item_id, role, content, at)
  SELECT created_at, id, n::text, CASE n % 2 WHEN 0 THEN 'assistant' ELSE 'user' END,
    repeat('We need a demo for our sales team. ', 4), created_at
  FROM (${OLD}) AS old CROSS JOIN generate_series(0, 3) AS n`;
const EVENTS = `
  INSERT INTO session_events (session_at, session_id, at, kind)
  SELECT created_at, id, created_at, 'shown' FROM (${OLD}) AS old`;
const EVALUATIONS = `
  INSERT INTO evaluations (session_id, version, state, requested_at, finished_at, evaluation)
  SELECT id, 1, 'written', created_at, created_at, '{"language":"en","summary":"A sales team that needs a demo."}'
  FROM (${OLD}) AS old`;
