import type { Db, Trx } from "#platform";
import type { Evaluation, SessionStatus, TranscriptEntry } from "@svc/contract/types";
import { sql } from "kysely";

/** A settled session with everything that its digest is made of. */
export interface DigestedSession {
  id: string;
  accountId: number;
  createdAt: Date;
  agentId: string;
  agentVersion: number;
  test: boolean;
  isImported: boolean;
  status: SessionStatus;
  language: string | null;
  mode: string | null;
  /** As the page reported it. */
  page: string | null;
  entry: string | null;
  device: string | null;
  email: string | null;
  costMicros: number;
  /** Some of what it used had no price. */
  unpriced: boolean;
  transcript: TranscriptEntry[] | null;
  evaluation: Evaluation | null;
  /** Null where nothing was sent. */
  delivery: "delivered" | "under_way" | "failed" | null;
  microphone: boolean;
  answersMs: number[];
  cutsMs: number[];
}

export async function isDue(db: Db): Promise<boolean> {
  const { rows } = await sql`SELECT FROM session_digests_due LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Takes the sessions that have waited longest. One digester works at a time: others wait here until it is done. */
export async function takeDue(trx: Trx, limit: number): Promise<string[]> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('session_digests'))`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    DELETE FROM session_digests_due
    WHERE id IN (SELECT id FROM session_digests_due ORDER BY id LIMIT ${limit})
    RETURNING session_id AS id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Those that still exist, held so that none is erased before its digest is stored. */
export async function selectDigested(trx: Trx, ids: string[]): Promise<DigestedSession[]> {
  const { rows } = await sql<DigestedSession>`
    SELECT s.id, s.account_id AS "accountId", s.created_at AS "createdAt", s.agent_id AS "agentId", s.agent_version AS "agentVersion",
      s.test, s.end_reason IS NOT DISTINCT FROM 'imported' AS "isImported", s.status, s.language, s.mode, s.page, s.entry, s.device,
      s.email, s.cost_micros::float8 AS "costMicros", x.transcript::json AS transcript,
      CASE WHEN s.test THEN (
        SELECT evaluation FROM evaluations WHERE session_id = s.id AND state = 'written' ORDER BY version DESC LIMIT 1
      ) ELSE x.evaluation::json END AS evaluation,
      ${DELIVERY} AS delivery, ${UNPRICED} AS unpriced,
      events.microphone, events."answersMs", events."cutsMs"
    FROM sessions AS s
    LEFT JOIN session_exports AS x ON x.account_id = s.account_id AND x.created_at = s.created_at AND x.id = s.id
    CROSS JOIN LATERAL (
      SELECT coalesce(bool_or(kind = 'microphone'), false) AS microphone,
        coalesce(array_agg((detail ->> 'answer_ms')::integer) FILTER (WHERE detail ? 'answer_ms'), '{}') AS "answersMs",
        coalesce(array_agg((detail ->> 'silent_ms')::integer) FILTER (WHERE detail ? 'silent_ms'), '{}') AS "cutsMs"
      FROM session_events AS e
      WHERE e.session_at = s.created_at AND e.session_id = s.id AND kind IN ('microphone', 'reply')
    ) AS events
    WHERE s.id = ANY (${ids}::uuid[]) AND s.settled_at IS NOT NULL
    FOR KEY SHARE OF s`.execute(trx);
  return rows;
}

/** What became of the newest event. Events are kept for some weeks; then the last digest knows it. */
const DELIVERY = sql`coalesce((
  SELECT CASE WHEN bool_or(d.state IN ('exhausted', 'orphaned')) THEN 'failed' WHEN bool_and(d.state = 'delivered') THEN 'delivered'
    ELSE 'under_way' END
  FROM webhook_events AS event JOIN deliveries AS d ON d.event_id = event.id
  WHERE event.session_id = s.id AND NOT d.followed AND d.state <> 'cancelled'
  HAVING count(*) > 0
), (SELECT 'delivered' FROM session_digests AS before WHERE before.session_id = s.id AND before.delivered))`;

/** It used tokens that cost nothing, or talked by voice that cost nothing. */
const UNPRICED = sql`(
  EXISTS (SELECT FROM session_usage AS u WHERE u.session_id = s.id AND u.cost_micros = 0 AND u.input_tokens + u.output_tokens > 0)
  OR EXISTS (SELECT FROM evaluations AS e WHERE e.session_id = s.id AND coalesce(e.cost_micros, 0) = 0
    AND e.input_tokens + coalesce(e.output_tokens, 0) > 0)
  OR (s.mode = 'voice' AND EXISTS (SELECT FROM session_usage AS u WHERE u.session_id = s.id)
    AND NOT EXISTS (SELECT FROM session_usage AS u WHERE u.session_id = s.id AND u.model = 'speech')))`;

/** What is found by, and what is counted, of one session. */
export interface Digest {
  session_id: string;
  account_id: number;
  created_at: Date;
  agent_id: string;
  terms: string[];
  counts: boolean;
  version: string;
  page: string | null;
  language: string | null;
  entry: string | null;
  device: string | null;
  microphone: boolean;
  talked: boolean;
  email_given: boolean;
  evaluated: boolean;
  qualified: boolean;
  delivered: boolean;
  failed: boolean;
  cost_micros: number;
  unpriced: boolean;
  answers_ms: number[];
  cuts_ms: number[];
  unanswered: boolean;
}

const COLUMNS = [
  "account_id",
  "created_at",
  "agent_id",
  "terms",
  "counts",
  "version",
  "page",
  "language",
  "entry",
  "device",
  "microphone",
  "talked",
  "email_given",
  "evaluated",
  "qualified",
  "delivered",
  "failed",
  "cost_micros",
  "unpriced",
  "answers_ms",
  "cuts_ms",
  "unanswered",
] as const satisfies (keyof Digest)[];

/** Writes digests in place of the earlier ones. Triggers keep the sums of the days. */
export async function writeDigests(trx: Trx, digests: Digest[]): Promise<void> {
  const columns = sql.join(COLUMNS.map((name) => sql.ref(name)));
  const changed = sql.join(
    COLUMNS.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`),
  );
  await sql`
    INSERT INTO session_digests (session_id, ${columns})
    SELECT session_id, account_id, created_at, agent_id, array_to_tsvector(terms), counts, version, page, language, entry, device,
      microphone, talked, email_given, evaluated, qualified, delivered, failed, cost_micros, unpriced, answers_ms, cuts_ms,
      unanswered
    FROM json_to_recordset(${JSON.stringify(digests)}::json) AS given (
      session_id uuid, account_id integer, created_at timestamptz, agent_id text, terms text[], counts boolean, version text,
      page text, language text, entry text, device text, microphone boolean, talked boolean, email_given boolean, evaluated boolean,
      qualified boolean, delivered boolean, failed boolean, cost_micros bigint, unpriced boolean, answers_ms integer[], cuts_ms integer[],
      unanswered boolean)
    ON CONFLICT (session_id) DO UPDATE SET ${changed}`.execute(trx);
}

/** The pages that are counted by themselves, of these agents' days. */
export async function selectPages(
  trx: Trx,
  days: { agentId: string; day: string }[],
): Promise<{ agentId: string; day: string; page: string }[]> {
  const { rows } = await sql<{ agentId: string; day: string; page: string }>`
    SELECT agent_id AS "agentId", day::text AS day, value AS page
    FROM session_tallies
    JOIN unnest(${days.map(({ agentId }) => agentId)}::text[], ${days.map(({ day }) => day)}::date[]) AS wanted (agent_id, day) USING (agent_id, day)
    WHERE dimension = 'page' AND value NOT IN ('', 'other')`.execute(trx);
  return rows;
}
