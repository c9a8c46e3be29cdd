import type { Customer, TestDatabase } from "@svc/server/testing";
import { talk } from "./talks.ts";

/**
 * Stores talks that are about to end, inside PostgreSQL, and tells their ids: ten thousand of them
 * take less than a second.
 */
export async function seedTalks(
  { pool }: TestDatabase,
  customer: Customer,
  count: number,
): Promise<string[]> {
  const turns = talk(0);
  const { rows } = await pool.query<{ id: string }>(SEED, [
    customer.account.id,
    customer.agent.agentId,
    customer.agent.version,
    count,
    turns.map(({ role }) => role),
    turns.map(({ content }) => content),
  ]);
  await pool.query("VACUUM (ANALYZE) sessions, turns");
  return rows.map(({ id }) => id);
}

const SEED = `
  WITH stamped AS (
    SELECT i, gen_random_uuid() AS id, CASE WHEN at = date_trunc('second', at) THEN at + interval '1 millisecond' ELSE at END AS at
    FROM generate_series(1, $4::integer) AS i
    CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', clock_timestamp()) - i * interval '11 milliseconds' AS at) AS t
  ), started AS (
    INSERT INTO sessions (id, account_id, agent_id, agent_version, test, created_at, connect_by, connected_at, converse_by, metadata)
    SELECT id, $1, $2, $3, false, at, at, at, clock_timestamp() + interval '1 hour', '{}'
    FROM stamped
    RETURNING id
  ), said AS (
    INSERT INTO turns (session_at, session_id, item_id, role, content, at)
    SELECT at, id, 'item-' || turn, role, replace(content, ' 0 ', ' ' || i || ' '), at + turn * interval '1 second'
    FROM stamped CROSS JOIN unnest($5::text[], $6::text[]) WITH ORDINALITY AS spoken (role, content, turn)
  )
  SELECT id FROM started`;

/** Ends talks inside PostgreSQL. The job that the product sends for each is left to be sent. */
export async function endSeeded({ pool }: TestDatabase, ids: string[]): Promise<void> {
  await pool.query(
    `UPDATE sessions SET ended_at = date_trunc('milliseconds', clock_timestamp()), end_reason = 'visitor_ended',
       evaluate_by = clock_timestamp() + interval '1 hour' WHERE id = ANY ($1)`,
    [ids],
  );
}
