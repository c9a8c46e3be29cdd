import { randomUUID } from "node:crypto";
import { MemoryBudget } from "#platform";
import { createExporter, positionSince } from "#sessions";
import type { ExportPage, ExportRequest } from "#sessions";
import { SESSION_FIELDS } from "@svc/contract/session-fields";
import type { Session } from "@svc/contract/types";
import type { Customer } from "./customer.ts";
import type { TestDatabase } from "./database.ts";

type Row = Record<string, unknown>;

/** A session as it is stored, column by column. */
export async function sessionRow(database: TestDatabase, id: string): Promise<Row> {
  const { rows } = await database.pool.query<Row>("SELECT * FROM sessions WHERE id = $1", [id]);
  const [row] = rows;
  if (row === undefined) throw new Error(`no session ${id}`);
  return row;
}

/** The session's row in the export, once it has one. */
export async function exportRow(database: TestDatabase, id: string): Promise<Row | undefined> {
  const { rows } = await database.pool.query<Row>("SELECT * FROM session_exports WHERE id = $1", [
    id,
  ]);
  return rows[0];
}

/** Its evaluations, the oldest first. */
export async function evaluationRows(database: TestDatabase, id: string): Promise<Row[]> {
  const { rows } = await database.pool.query<Row>(
    "SELECT * FROM evaluations WHERE session_id = $1 ORDER BY version",
    [id],
  );
  return rows;
}

/** Every row of every table of the whole database, the queue's included, as text: table → its rows. Bytes are in hex. */
export async function dumpTables({ pool }: TestDatabase): Promise<Map<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables
     ORDER BY name`,
  );
  const dumped = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(
      `SELECT coalesce(string_agg(t::text, E'\\n'), '') AS text FROM ONLY ${name} AS t`,
    );
    dumped.set(name, rows[0]!.text);
  }
  return dumped;
}

/** The tables in which a text stands: in any column, in any case, bytes too. */
export async function tracesOf(database: TestDatabase, text: string): Promise<string[]> {
  return tablesWith(await dumpTables(database), text);
}

export function tablesWith(dumped: ReadonlyMap<string, string>, text: string): string[] {
  const needles = [text.toLowerCase(), Buffer.from(text).toString("hex")];
  return [...dumped].flatMap(([name, rows]) =>
    needles.some((needle) => rows.toLowerCase().includes(needle)) ? [name] : [],
  );
}

/** Holds a table against everybody else until `work` is done. */
export async function whileLocked<T>(
  database: TestDatabase,
  table: string,
  work: () => Promise<T>,
): Promise<T> {
  const locker = await database.pool.connect();
  try {
    await locker.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return await work();
  } finally {
    locker.release(true);
  }
}

/** How many connections of that name wait for a lock right now. */
export async function countLockWaiters(
  database: TestDatabase,
  applicationName: string,
): Promise<number> {
  const { rowCount } = await database.pool.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1 AND wait_event_type = 'Lock'",
    [applicationName],
  );
  return rowCount ?? 0;
}

/** Gives a session one row of every kind that a conversation leaves behind and that no other helper makes. */
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

/** One page of a customer's export: everything as JSON, where the request does not say otherwise. */
export async function readExport(
  database: Pick<TestDatabase, "exportPool">,
  customer: Customer,
  request: Partial<ExportRequest> = {},
): Promise<ExportPage & { text: string }> {
  const exporter = createExporter(database.exportPool, new MemoryBudget(1_000_000_000));
  const page = await exporter.page({ ...wholeExport(customer), ...request });
  const chunks = [page.body];
  for await (const chunk of page.rest ?? []) chunks.push(chunk);
  return { ...page, text: Buffer.concat(chunks).toString("utf8") };
}

export function wholeExport(customer: Customer): ExportRequest {
  return {
    accountId: customer.account.id,
    mode: customer.account.exportMode,
    format: "json",
    after: positionSince(0),
    limit: 100,
    fields: SESSION_FIELDS,
  };
}

export function itemsOf({ text }: { text: string }): Partial<Session>[] {
  return (JSON.parse(text) as { items: Partial<Session>[] }).items;
}
