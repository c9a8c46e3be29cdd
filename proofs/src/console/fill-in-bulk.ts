import { addCustomer, addReceiver, digestDue } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";

const BATCH = 20_000;
const DAYS = 28;
const DAY_MS = 86_400_000;
/** After so many sessions, all that digests hold comes again, but for names and rare words. */
const PERIOD = 35_100;

export interface BulkWorld {
  accountId: number;
  clientId: string;
  agentId: string;
  endpointId: string;
  /** A session with a delivery. */
  sessionId: string;
  deliveryId: number;
}

/** Fills four weeks with sessions of three customers, inside PostgreSQL, and lets the product write their digests. */
export async function fillInBulk(
  database: TestDatabase,
  count: number,
  onProgress: (done: number, what: string) => void,
): Promise<BulkWorld> {
  const { db, pool } = database;
  const customers = [];
  for (const name of ["Acme", "Brio", "Cask"]) {
    const customer = await addCustomer(db, { name });
    const receiver = await addReceiver(db, customer, `https://${name.toLowerCase()}.example.com/`);
    customers.push({ ...customer, endpointId: receiver.id });
  }
  const given = [
    new Date(Date.now() - DAYS * DAY_MS),
    Math.floor((DAYS * DAY_MS - 60_000) / count),
    customers.map(({ account }) => account.id),
    customers.map(({ agent }) => agent.agentId),
    customers.map(({ endpointId }) => endpointId),
    count,
  ];
  const insert = async (from: number, until: number): Promise<void> => {
    for (let done = from; done < until; done += BATCH) {
      const last = Math.min(until, done + BATCH) - 1;
      await pool.query(INSERT, [done, last, ...given]);
      if (from > 0) await pool.query(COPY_DIGESTS, [done, last, PERIOD]);
      onProgress(done, "sessions");
    }
  };
  await insert(0, Math.min(count, PERIOD));
  // As autovacuum does: plans that were made for empty tables read all of them for each session.
  await pool.query("ANALYZE");
  let digested = 0;
  while (await digestDue(db)) onProgress((digested += 200), "digests");
  // What is not due is not digested: from here on, everything repeats, and so do the digests.
  await pool.query("ALTER TABLE sessions DISABLE TRIGGER digest_is_due");
  await insert(PERIOD, count);
  await pool.query("ALTER TABLE sessions ENABLE TRIGGER digest_is_due");
  await pool.query(PAGES, [customers.map(({ agent }) => agent.agentId)]);
  await pool.query("VACUUM (ANALYZE)");
  const { rows } = await pool.query<{ session: string; delivery: string }>(
    "SELECT session_id AS session, id AS delivery FROM deliveries ORDER BY id DESC OFFSET 500 LIMIT 1",
  );
  const [first] = customers;
  return {
    accountId: first!.account.id,
    clientId: first!.account.clientId,
    agentId: first!.agent.agentId,
    endpointId: first!.endpointId,
    sessionId: rows[0]!.session,
    deliveryId: Number(rows[0]!.delivery),
  };
}

const idOf = (place: string): string =>
  `overlay(overlay(md5('session' || ${place}) placing '7' from 13) placing '8' from 17)::uuid`;

/** Most sessions are evaluated; the last hundred go on. One word in a hundred sessions, another in a few thousand. */
const INSERT = `
  WITH given AS (
    SELECT n, ${idOf("n")} AS id,
      CASE WHEN at = date_trunc('second', at) THEN at + interval '1 millisecond' ELSE at END AS at,
      1 + (n % 10 > 5)::integer + (n % 10 > 8)::integer AS customer,
      CASE WHEN n >= $8 - 100 THEN 'active' WHEN n % 4 = 1 THEN 'abandoned' WHEN n % 25 = 2 THEN 'error' ELSE 'processed' END AS status
    FROM generate_series($1::integer, $2::integer) AS n
    CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', $3::timestamptz) + n * $4::bigint * interval '1 millisecond' AS at) AS t
  ), started AS (
    INSERT INTO sessions (id, account_id, agent_id, agent_version, test, status, created_at, connect_by, connected_at, converse_by, ended_at, end_reason, settled_at,
      metadata, email, duration_secs, language, mode, page, entry, device, cost_micros)
    SELECT id, ($5::integer[])[customer], ($6::text[])[customer], 1, false, status, at, at, at, at + interval '1 day',
      CASE WHEN status <> 'active' THEN at END, CASE WHEN status <> 'active' THEN 'visitor_ended' END, CASE WHEN status <> 'active' THEN at END,
      '{}', CASE WHEN n % 3 = 0 THEN 'visitor' || n || '@example.com' END, n % 900, ('{en,de,ja}'::text[])[1 + n % 3],
      ('{voice,text}'::text[])[1 + n % 2], 'https://www.example.com/page-' || chr(97 + n % 26), ('{modal,widget,hero}'::text[])[1 + n / 3 % 3],
      ('{desktop,phone,tablet}'::text[])[1 + n / 9 % 3], n % 90000
    FROM given
  ), exported AS (
    INSERT INTO session_exports (account_id, created_at, id, agent_id, status, transcript, evaluation, duration_secs)
    SELECT ($5::integer[])[customer], at, id, ($6::text[])[customer], status,
      (SELECT json_agg(json_build_object('role', CASE WHEN turn % 2 = 0 THEN 'assistant' ELSE 'user' END, 'content',
        'We talked about pricing and the trial in turn ' || turn || CASE WHEN n % 100 = 7 THEN ' with our migration' ELSE '' END
        || CASE WHEN n % 4999 = 9 THEN ' by zeppelin' ELSE '' END))::text FROM generate_series(0, 9) AS turn),
      CASE WHEN status = 'processed' THEN json_build_object('customer_name', 'Visitor ' || n,
        'qualification', json_build_object('status', ('{qualified,disqualified,not_enough_data}'::text[])[1 + n / 4 % 3], 'reasoning', 'They said so.'),
        'questions', json_build_object('team_size', json_build_object('was_asked', true, 'was_answered', true, 'answer', 'about ' || n % 90)),
        'insights', json_build_object('pain', json_build_object('value', 'Sundays', 'evidence', 'We talked')))::text END, n % 900
    FROM given WHERE status <> 'active'
  ), events AS (
    INSERT INTO webhook_events (id, session_id, version, at, body)
    SELECT id, id, 1, at, convert_to(repeat('{"event_type":"session.evaluated"}', 20), 'UTF8') FROM given WHERE status = 'processed'
  ), sent AS (
    INSERT INTO deliveries (endpoint_id, event_id, session_id, state, due_at, attempts, created_at, finished_at)
    SELECT ($7::text[])[customer], id, id, state, at, CASE state WHEN 'exhausted' THEN 3 WHEN 'waiting' THEN 0 ELSE 1 END, at,
      CASE WHEN state <> 'waiting' THEN at END
    FROM given CROSS JOIN LATERAL (SELECT CASE WHEN n % 200 = 0 THEN 'exhausted' WHEN n % 500 = 3 THEN 'waiting' ELSE 'delivered' END AS state) AS became
    WHERE status = 'processed'
    RETURNING id, attempts, created_at, state
  )
  INSERT INTO delivery_attempts (delivery_id, attempt, started_at, took_ms, outcome, status)
  SELECT id, attempt, created_at, 120, 'answered', CASE state WHEN 'delivered' THEN 200 ELSE 503 END
  FROM sent CROSS JOIN LATERAL generate_series(1, attempts) AS attempt`;

const COPY_DIGESTS = `
  INSERT INTO session_digests
  SELECT s.id, d.account_id, s.created_at, d.agent_id, terms, counts, d.version, d.page, d.language, d.entry, d.device, microphone, talked, email_given,
    evaluated, qualified, delivered, failed, d.cost_micros, unpriced, answers_ms, cuts_ms, unanswered
  FROM generate_series($1::integer, $2::integer) AS n
  JOIN sessions AS s ON s.id = ${idOf("n")} AND s.settled_at IS NOT NULL
  JOIN session_digests AS d ON d.session_id = ${idOf("(n % $3::integer)")}`;

/** As many pages as are counted by themselves, on each of the days. */
const PAGES = `
  WITH seen AS (
    SELECT agent, day::date AS day, event, page
    FROM unnest($1::text[]) AS agent, generate_series(now() - interval '27 days', now(), interval '1 day') AS day,
      unnest('{button_viewed,opened,form}'::text[]) AS event, generate_series(1, 200) AS page
  ), counted AS (
    INSERT INTO funnel_counts (agent_id, day, event, origin, count)
    SELECT agent, day, event, 'https://www.example.com', sum(page) FROM seen GROUP BY 1, 2, 3
  )
  INSERT INTO funnel_steps (agent_id, day, event, dimension, value, count)
  SELECT agent, day, event, 'page', 'https://www.example.com/page-' || page, page FROM seen`;
