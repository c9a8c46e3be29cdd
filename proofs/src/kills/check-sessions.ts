import type { TestDatabase } from "@svc/server/testing";

/** What became of all sessions. */
export interface Findings {
  sessions: number;
  unsettled: number;
  /** Acknowledged and not evaluated, or not as it is exported. */
  lost: number;
  /** With more than one evaluation. */
  doubled: number;
  /** Settled as overdue first, evaluated later. */
  overdue: number;
  /** Deadlines that passed before the session was ended or settled. */
  overruns: Span[];
}

export interface Span {
  fromMs: number;
  toMs: number;
}

/** @param acknowledged ids of sessions whose end was committed for certain. */
export async function checkSessions(
  { pool }: TestDatabase,
  acknowledged: string[],
): Promise<Findings> {
  const { rows } = await pool.query<Findings>(CHECK, [acknowledged]);
  return rows[0]!;
}

/** The longest of them, without the time for which PostgreSQL was away: nobody can settle anything then. */
export function longestMs(overruns: Span[], outages: Span[]): number {
  const lengths = overruns.map(({ fromMs, toMs }) => {
    const away = outages.map((one) => Math.min(toMs, one.toMs) - Math.max(fromMs, one.fromMs));
    return toMs - fromMs - away.reduce((sum, ms) => sum + Math.max(0, ms), 0);
  });
  return Math.max(0, ...lengths);
}

/** Sessions that are not settled, and jobs that are not done. */
export async function countOpen({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT (SELECT count(*) FROM sessions WHERE settled_at IS NULL)::integer
       + (SELECT count(*) FROM pgboss.job WHERE name IN ('session-ended', 'evaluate') AND state < 'completed')::integer AS count`,
  );
  return rows[0]!.count;
}

const CHECK = `
  WITH judged AS (
    SELECT session_id, count(*) AS versions, count(*) FILTER (WHERE state = 'written') AS written
    FROM evaluations GROUP BY session_id
  ), spoken AS (
    SELECT id FROM unnest($1::uuid[]) AS id
    UNION
    SELECT session_id FROM turns WHERE role = 'user'
  ), deadlines AS (
    SELECT evaluate_by AS due, settled_at AS done FROM sessions
    UNION ALL
    SELECT CASE WHEN connected_at IS NULL THEN connect_by ELSE return_by END, ended_at
    FROM sessions WHERE end_reason = 'visitor_gone'
  )
  SELECT
    (SELECT count(*)::integer FROM sessions) AS sessions,
    (SELECT count(*)::integer FROM sessions WHERE settled_at IS NULL) AS unsettled,
    (SELECT count(*)::integer FROM spoken
      LEFT JOIN sessions USING (id)
      LEFT JOIN judged ON judged.session_id = spoken.id
      LEFT JOIN session_exports AS exported ON exported.id = spoken.id
      WHERE sessions.status IS DISTINCT FROM 'processed' OR judged.written IS NULL OR judged.written = 0
        OR exported.status IS DISTINCT FROM 'processed' OR exported.evaluation IS NULL) AS lost,
    (SELECT count(*)::integer FROM judged WHERE versions > 1) AS doubled,
    (SELECT count(*)::integer FROM sessions JOIN judged ON session_id = id
      WHERE settled_at > evaluate_by AND status = 'processed') AS overdue,
    (SELECT coalesce(json_agg(json_build_object('fromMs', extract(epoch FROM due) * 1000, 'toMs', extract(epoch FROM done) * 1000)), '[]')
      FROM deadlines WHERE done > due) AS overruns`;
