import { seedBulk } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";

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
