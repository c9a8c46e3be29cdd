import { randomUUID } from "node:crypto";
import type { TestDatabase } from "./database.ts";

/** Gives a session one of everything that a talk leaves behind and that no simpler way makes. */
export async function fillSession(
  { pool }: TestDatabase,
  { id, createdAt }: { id: string; createdAt: Date },
): Promise<void> {
  await pool.query(
    `INSERT INTO session_events (session_at, session_id, at, kind, detail) VALUES ($1, $2, now(), 'tool', '{"email": "ada@example.com"}')`,
    [createdAt, id],
  );
  await pool.query(
    "INSERT INTO session_usage (session_id, model, requests, input_tokens, output_tokens, cost_micros) VALUES ($1, 'm', 1, 1, 1, 1)",
    [id],
  );
  await pool.query(
    `INSERT INTO visits (session_id, account_id, agent_id, start_key, request_sha256, address)
     SELECT id, account_id, agent_id, $2, '\\x00', '192.0.2.1' FROM sessions WHERE id = $1`,
    [id, randomUUID()],
  );
  await pool.query(
    `INSERT INTO follow_ups (session_id, account_id, address_mark, due_at, give_up_at, created_at)
     SELECT id, account_id, sha256('x'), now(), now(), now() FROM sessions WHERE id = $1`,
    [id],
  );
  await pool.query(
    `INSERT INTO delivery_attempts (delivery_id, attempt, started_at, took_ms, outcome, answer)
     SELECT id, 1, now(), 1, 'answered', 'ada@example.com' FROM deliveries WHERE session_id = $1`,
    [id],
  );
}
