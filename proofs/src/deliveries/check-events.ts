import type { TestDatabase } from "@svc/server/testing";

export interface EventFindings {
  events: number;
  /** Acknowledged evaluations that are not there. */
  vanished: number;
  /** Written evaluations without an event, or events without a delivery for each endpoint. */
  missing: number;
  /** Events without a written evaluation, of test sessions, or delivered twice to one endpoint. */
  wrong: number;
  /** Cut short too often: kept and listed. */
  orphaned: number;
}

/** @param acknowledged how many evaluations of which session were written for certain. */
export async function checkEvents(
  { pool }: TestDatabase,
  acknowledged: ReadonlyMap<string, number>,
): Promise<EventFindings> {
  const { rows } = await pool.query<EventFindings>(CHECK, [
    [...acknowledged.keys()],
    [...acknowledged.values()],
  ]);
  return rows[0]!;
}

const CHECK = `
  WITH written AS (
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
      WHERE expected IS NULL OR times > 1) AS wrong,
    (SELECT count(*)::integer FROM deliveries WHERE state = 'orphaned') AS orphaned`;
