import type { Evaluation, TranscriptEntry } from "@svc/contract/types";
import type pg from "pg";
import type { Customer } from "./customer.ts";

/** How many different conversations are dealt out. */
const CONVERSATIONS = 200;
const BATCH = 20_000;
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
        Array.from({ length: CONVERSATIONS }, (_, n) => JSON.stringify(conversation(n))),
        Array.from({ length: CONVERSATIONS }, (_, n) => JSON.stringify(evaluation(n))),
      ],
    );
    for (let done = 0; done < count; done += BATCH) {
      const upTo = Math.min(count, done + BATCH);
      await client.query(INSERT_BATCH, [
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

const INSERT_BATCH = `
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

function conversation(n: number): TranscriptEntry[] {
  return Array.from({ length: 30 }, (_, turn) => ({
    role: turn % 2 === 0 ? ("assistant" as const) : ("user" as const),
    content: sentence(n * 31 + turn, turn % 2 === 0 ? 28 : 16),
    ...(turn % 9 === 8 && { interrupted: true as const }),
  }));
}

function evaluation(n: number): Evaluation {
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
