import type { Customer, TestDatabase } from "@svc/server/testing";
import type { Span } from "./hammer.ts";

/** What became of a customer's sessions. */
export interface SessionFindings {
  sessions: number;
  unsettled: number;
  /** Acknowledged and not evaluated or not exported so, or with an address whose domain's answer is not stored. */
  lost: number;
  /** With more than one evaluation. */
  doubled: number;
  /** Settled as overdue first, evaluated later. */
  overdue: number;
  /** Deadlines that passed before the session was ended or settled. */
  overruns: Span[];
}

/** @param acknowledged ids of sessions whose end was certainly committed. */
export async function checkSessions(
  { pool }: TestDatabase,
  { account }: Customer,
  acknowledged: string[],
): Promise<SessionFindings> {
  const { rows } = await pool.query<SessionFindings>(
    `WITH mine AS (
       SELECT * FROM sessions WHERE account_id = $1
     ), judged AS (
       SELECT session_id, count(*) AS versions, count(*) FILTER (WHERE state = 'written') AS written
       FROM evaluations WHERE session_id IN (SELECT id FROM mine) GROUP BY session_id
     ), spoken AS (
       SELECT id FROM unnest($2::uuid[]) AS id
       UNION
       SELECT session_id FROM turns WHERE role = 'user' AND session_id IN (SELECT id FROM mine)
     ), deadlines AS (
       SELECT evaluate_by AS due, settled_at AS done FROM mine
       UNION ALL
       SELECT CASE WHEN connected_at IS NULL THEN connect_by ELSE return_by END, ended_at
       FROM mine WHERE end_reason = 'visitor_gone'
     )
     SELECT
       (SELECT count(*)::integer FROM mine) AS sessions,
       (SELECT count(*)::integer FROM mine WHERE settled_at IS NULL) AS unsettled,
       (SELECT count(*)::integer FROM spoken
         LEFT JOIN mine USING (id)
         LEFT JOIN judged ON judged.session_id = spoken.id
         LEFT JOIN session_exports AS exported ON exported.id = spoken.id
         WHERE mine.status IS DISTINCT FROM 'processed' OR (mine.email IS NOT NULL AND mine.email_verified IS NOT true)
           OR judged.written IS NULL OR judged.written = 0
           OR exported.status IS DISTINCT FROM 'processed' OR exported.evaluation IS NULL) AS lost,
       (SELECT count(*)::integer FROM judged WHERE versions > 1) AS doubled,
       (SELECT count(*)::integer FROM mine JOIN judged ON session_id = id
         WHERE settled_at > evaluate_by AND status = 'processed') AS overdue,
       (SELECT coalesce(json_agg(json_build_object('fromMs', extract(epoch FROM due) * 1000, 'toMs', extract(epoch FROM done) * 1000)), '[]')
         FROM deadlines WHERE done > due) AS overruns`,
    [account.id, acknowledged],
  );
  return rows[0]!;
}

/** The longest of them, without the time for which PostgreSQL was away: nothing can be settled then. */
export function longestMs(overruns: Span[], outages: Span[]): number {
  const lengths = overruns.map(({ fromMs, toMs }) => {
    const away = outages.map((one) => Math.min(toMs, one.toMs) - Math.max(fromMs, one.fromMs));
    return toMs - fromMs - away.reduce((sum, ms) => sum + Math.max(0, ms), 0);
  });
  return Math.max(0, ...lengths);
}

export interface EventFindings {
  events: number;
  /** Acknowledged evaluations that are not there. */
  vanished: number;
  /** Written evaluations without an event, or events without a delivery for each endpoint. */
  missing: number;
  /** Events without a written evaluation, of test sessions, or delivered twice to one endpoint. */
  wrong: number;
}

/** @param acknowledged session id → how many of its evaluations were certainly written. */
export async function checkEvents(
  { pool }: TestDatabase,
  acknowledged: ReadonlyMap<string, number>,
): Promise<EventFindings> {
  const { rows } = await pool.query<EventFindings>(
    `WITH written AS (
       SELECT e.session_id, e.version, s.test, s.account_id FROM evaluations AS e JOIN sessions AS s ON s.id = e.session_id
       WHERE e.state = 'written'
     ), expected AS (
       SELECT session_id, version, hook.id AS endpoint_id FROM written
       JOIN webhook_endpoints AS hook USING (account_id) WHERE NOT test
     ), delivered AS (
       SELECT event.session_id, event.version, d.endpoint_id, count(*) AS times
       FROM webhook_events AS event JOIN deliveries AS d ON d.event_id = event.id
       WHERE d.replay_of IS NULL GROUP BY 1, 2, 3
     )
     SELECT
       (SELECT count(*)::integer FROM webhook_events) AS events,
       (SELECT count(*)::integer FROM unnest($1::uuid[], $2::integer[]) AS acknowledged (id, versions)
         WHERE versions > (SELECT count(*) FROM written WHERE session_id = acknowledged.id)) AS vanished,
       (SELECT count(*)::integer FROM expected LEFT JOIN delivered USING (session_id, version, endpoint_id)
         WHERE times IS NULL) AS missing,
       (SELECT count(*)::integer FROM delivered LEFT JOIN expected USING (session_id, version, endpoint_id)
         WHERE expected IS NULL OR times > 1) AS wrong`,
    [[...acknowledged.keys()], [...acknowledged.values()]],
  );
  return rows[0]!;
}

/** Sessions of the customer that are not settled, and jobs, mails and deliveries that are not finished. */
export async function countOpen({ pool }: TestDatabase, { account }: Customer): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT ((SELECT count(*) FROM sessions WHERE settled_at IS NULL AND account_id = $1)
       + (SELECT count(*) FROM pgboss.job WHERE name IN ('session-ended', 'evaluate', 'check-domain') AND state < 'completed')
       + (SELECT count(*) FROM follow_ups WHERE state IN ('waiting', 'sending'))
       + (SELECT count(*) FROM deliveries WHERE finished_at IS NULL))::integer AS count`,
    [account.id],
  );
  return rows[0]!.count;
}
