import type { Session } from "@svc/contract/types";
import type pg from "pg";
import type { Customer } from "./customer.ts";

const BATCH = 500;

/**
 * Stores settled sessions as they are given, past the rooms' doors: what the export must return is
 * then known without asking our own code. Give each a `created_at` of its own that is not on a
 * whole second, a status other than `active`, the customer's agent, and no NUL.
 */
export async function seedSettled(
  pool: pg.Pool,
  customer: Customer,
  sessions: readonly Session[],
): Promise<void> {
  const { account, agent } = customer;
  for (let done = 0; done < sessions.length; done += BATCH) {
    const rows = sessions.slice(done, done + BATCH).map(toRow);
    await pool.query(INSERT_BATCH, [account.id, agent.version, JSON.stringify(rows)]);
  }
  await pool.query(MOVE_CLOCK, [account.id]);
  await pool.query("VACUUM (ANALYZE) sessions, session_exports");
}

/** Objects and arrays go in as finished JSON text; an absent key becomes NULL. */
function toRow({ metadata, transcript, evaluation, ...rest }: Session): Record<string, unknown> {
  return {
    ...rest,
    metadata: JSON.stringify(metadata),
    transcript: JSON.stringify(transcript),
    evaluation: JSON.stringify(evaluation),
  };
}

const INSERT_BATCH = `
  WITH given AS (
    SELECT * FROM json_to_recordset($3::json) AS t (
      id uuid, agent_id text, status text, created_at timestamptz, metadata text, transcript text, summary text,
      evaluation text, email text, email_verified boolean, duration_secs integer)
  ), settled AS (
    INSERT INTO sessions (id, account_id, agent_id, agent_version, test, status, created_at, connect_by, ended_at,
      end_reason, settled_at, metadata, email, email_verified, duration_secs)
    SELECT id, $1, agent_id, $2, false, status, created_at, created_at, created_at, 'visitor_ended', created_at,
      coalesce(metadata, '{}')::json, email, email_verified, duration_secs
    FROM given
  )
  INSERT INTO session_exports (account_id, created_at, id, agent_id, status, metadata, transcript, summary,
    evaluation, email, email_verified, duration_secs)
  SELECT $1, created_at, id, agent_id, status, metadata, transcript, summary, evaluation, email, email_verified, duration_secs
  FROM given`;

const MOVE_CLOCK = `
  UPDATE account_clocks
  SET last_at = greatest(last_at, (SELECT max(created_at) FROM session_exports WHERE account_id = $1))
  WHERE account_id = $1`;
