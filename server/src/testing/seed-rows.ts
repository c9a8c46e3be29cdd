import type { Evaluation, Session, TranscriptEntry } from "@svc/contract/types";
import type pg from "pg";
import type { Customer } from "./customer.ts";

/** How many different conversations are dealt out. */
const CONVERSATIONS = 200;
const BULK_BATCH = 20_000;
/** No more than 90 sessions in one second. */
const GAP_MS = 11;

/**
 * Fills an account with settled sessions of 30 turns (some 6 KB each), inside PostgreSQL: about
 * 30,000 a second. The first one starts at `firstAt`, the others 11 ms apart.
 */
export async function seedBulk(
  pool: pg.Pool,
  customer: Customer,
  count: number,
  firstAt: Date,
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(
      "CREATE TEMPORARY TABLE conversations AS SELECT * FROM unnest($1::integer[], $2::text[], $3::text[]) AS t (n, transcript, evaluation)",
      [
        Array.from({ length: CONVERSATIONS }, (_, n) => n),
        Array.from({ length: CONVERSATIONS }, (_, n) => JSON.stringify(bulkConversation(n))),
        Array.from({ length: CONVERSATIONS }, (_, n) => JSON.stringify(bulkEvaluation(n))),
      ],
    );
    for (let done = 0; done < count; done += BULK_BATCH) {
      const upTo = Math.min(count, done + BULK_BATCH);
      await client.query(INSERT_BULK, [
        customer.account.id,
        customer.agent.agentId,
        done,
        upTo - 1,
        firstAt,
        GAP_MS,
        CONVERSATIONS,
      ]);
      onProgress(upTo);
    }
    await client.query(
      "UPDATE account_clocks SET last_at = greatest(last_at, (SELECT max(created_at) FROM session_exports WHERE account_id = $1)) WHERE account_id = $1",
      [customer.account.id],
    );
    await client.query("DROP TABLE conversations");
  } finally {
    client.release();
  }
  await pool.query("VACUUM (ANALYZE) sessions, session_exports");
}

const INSERT_BULK = `
  WITH stamped AS (
    SELECT i, gen_random_uuid() AS id, CASE WHEN at = date_trunc('second', at) THEN at + interval '1 millisecond' ELSE at END AS at
    FROM generate_series($3::integer, $4::integer) AS i
    CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', $5::timestamptz) + i * $6::integer * interval '1 millisecond' AS at) AS t
  ), started AS (
    INSERT INTO sessions (id, account_id, agent_id, agent_version, test, status, created_at, connect_by, ended_at, end_reason, settled_at, metadata, email, email_verified, duration_secs)
    SELECT id, $1, $2, 1, false, 'processed', at, at, at + interval '5 minutes', 'visitor_ended', at + interval '6 minutes', '{}', 'visitor' || i || '@example.com', true, 300
    FROM stamped
  )
  INSERT INTO session_exports (account_id, created_at, id, agent_id, status, metadata, transcript, summary, evaluation, email, email_verified, duration_secs)
  SELECT $1, at, id, $2, 'processed', '{"plan":"team","visit":"' || i || '","email":"visitor' || i || '@example.com"}', transcript,
    'Visitor ' || i || ' leads a team, asked about prices and the first month, and wants a trial.', evaluation, 'visitor' || i || '@example.com', true, 300
  FROM stamped JOIN conversations ON n = i % $7`;

const WORDS =
  "we our team sales price month trial demo setup import contract export data security question answer calendar report customer website voice slide support language region invoice upgrade compare switch integrate measure rather usually tomorrow because without already enough".split(
    " ",
  );

function sentence(seed: number, words: number): string {
  // A plain multiplicative generator: the same text on every run, and no two turns alike.
  let state = (seed * 2_654_435_761) >>> 0;
  const text = Array.from({ length: words }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return WORDS[state % WORDS.length];
  }).join(" ");
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

function bulkConversation(n: number): TranscriptEntry[] {
  return Array.from({ length: 30 }, (_, turn) => ({
    role: turn % 2 === 0 ? ("assistant" as const) : ("user" as const),
    content: sentence(n * 31 + turn, turn % 2 === 0 ? 28 : 16),
    ...(turn % 9 === 8 && { interrupted: true as const }),
  }));
}

function bulkEvaluation(n: number): Evaluation {
  return {
    language: "en",
    qualification: {
      status: n % 3 === 0 ? "qualified" : "not_enough_data",
      reasoning: sentence(n, 14),
    },
    questions: {
      team_size: { was_asked: true, was_answered: true, answer: sentence(n + 1, 3) },
      timeline: { was_asked: true, was_answered: false },
    },
    insights: { pain: { value: sentence(n + 2, 6), evidence: sentence(n + 3, 9) } },
    summary: sentence(n + 4, 20),
  };
}

const DELIVERIES_BATCH = 10_000;

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
  for (let done = 0; done < count; done += DELIVERIES_BATCH) {
    await pool.query(INSERT_DELIVERIES, [
      customer.account.id,
      customer.agent.agentId,
      endpointIds,
      Math.min(DELIVERIES_BATCH, count - done),
    ]);
  }
  await pool.query("VACUUM (ANALYZE) sessions, webhook_events, deliveries");
}

/** They have no export row: nobody reads the export of an account that is filled so. */
const INSERT_DELIVERIES = `
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

const SETTLED_BATCH = 500;

/**
 * Stores settled sessions as they are given, without the product's own code: what the export must return is
 * then known without asking our own code. Give each a `created_at` of its own that is not on a
 * whole second, a status other than `active`, the customer's agent, and no NUL.
 */
export async function seedSettled(
  pool: pg.Pool,
  customer: Customer,
  sessions: readonly Session[],
): Promise<void> {
  const { account, agent } = customer;
  for (let done = 0; done < sessions.length; done += SETTLED_BATCH) {
    const rows = sessions.slice(done, done + SETTLED_BATCH).map(toRow);
    await pool.query(INSERT_SETTLED, [account.id, agent.version, JSON.stringify(rows)]);
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

const INSERT_SETTLED = `
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
