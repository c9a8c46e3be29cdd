import type pg from "pg";
import type { Customer } from "./customer.ts";

const BATCH = 10_000;

/**
 * So many deliveries, dealt out to these endpoints and all of them due, of as many settled
 * sessions, made inside PostgreSQL: some 12,000 a second. Each body is a whole event of 2 KB.
 */
export async function seedDeliveries(
  pool: pg.Pool,
  customer: Customer,
  endpointIds: string[],
  count: number,
): Promise<void> {
  if (count === 0) return;
  for (let done = 0; done < count; done += BATCH) {
    await pool.query(INSERT_BATCH, [
      customer.account.id,
      customer.agent.agentId,
      endpointIds,
      Math.min(BATCH, count - done),
    ]);
  }
  await pool.query("VACUUM (ANALYZE) sessions, webhook_events, deliveries");
}

/** They have no export row: nobody reads the export of an account that is filled so. */
const INSERT_BATCH = `
  WITH made AS (
    SELECT gen_random_uuid() AS session_id, gen_random_uuid() AS event_id, ($3::text[])[1 + i % cardinality($3::text[])] AS endpoint_id,
      date_trunc('second', clock_timestamp()) - i * interval '1 second' + interval '0.5 seconds' AS at
    FROM generate_series(1, $4::integer) AS i
  ), settled AS (
    INSERT INTO sessions (id, account_id, agent_id, agent_version, test, status, created_at, connect_by, ended_at,
      end_reason, settled_at, metadata, duration_secs)
    SELECT session_id, $1, $2, 1, false, 'processed', at, at, at, 'visitor_ended', at, '{}', 60 FROM made
  ), events AS (
    INSERT INTO webhook_events (id, session_id, version, at, body)
    SELECT event_id, session_id, 1, at, convert_to(format(
      '{"event_type":"session.evaluated","timestamp":"2026-01-01T00:00:00.000Z","data":{"id":"%s","agent_id":"%s","status":"processed","transcript":[{"role":"user","content":"%s"}],"summary":"They need a demo.","duration_secs":60}}',
      session_id, $2, repeat('We need a demo for our sales team of twelve. ', 40)), 'UTF8') FROM made
  )
  INSERT INTO deliveries (endpoint_id, event_id, session_id, due_at, created_at)
  SELECT endpoint_id, event_id, session_id, clock_timestamp(), clock_timestamp() FROM made`;
