import type { Db, Trx } from "#platform";
import { sql } from "kysely";

/** Found by the event's time, which is earlier than the delivery's and has an index. */
export async function deleteOldDeliveries(
  db: Db,
  keepDays: number,
  limit: number,
): Promise<number> {
  const longAgo = sql`clock_timestamp() - make_interval(days => ${keepDays})`;
  const { numAffectedRows } = await sql`
    DELETE FROM deliveries WHERE id IN (
      SELECT d.id FROM webhook_events AS event
      JOIN deliveries AS d ON d.event_id = event.id
      WHERE event.at < ${longAgo} AND d.finished_at < ${longAgo}
      ORDER BY event.at
      LIMIT ${limit})`.execute(db);
  await sql`
    DELETE FROM webhook_events WHERE id IN (
      SELECT id FROM webhook_events AS event
      WHERE at < ${longAgo} AND NOT EXISTS (SELECT FROM deliveries AS d WHERE d.event_id = event.id)
      ORDER BY at
      LIMIT ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

export interface DeliveryCounts {
  /** `held`: waiting, because something of ours is missing, such as a key. */
  states: Record<"waiting" | "held" | "running" | "exhausted" | "orphaned", number>;
  oldestDueSecs: number;
}

export async function selectCounts(db: Db): Promise<DeliveryCounts> {
  const { rows } = await sql<DeliveryCounts["states"] & { oldestDueSecs: number }>`
    SELECT count(*) FILTER (WHERE d.state = 'waiting' AND d.held_because IS NULL)::integer AS waiting,
      count(*) FILTER (WHERE d.state = 'waiting' AND d.held_because IS NOT NULL)::integer AS held,
      count(*) FILTER (WHERE d.state = 'running')::integer AS running,
      count(*) FILTER (WHERE d.state = 'exhausted')::integer AS exhausted,
      count(*) FILTER (WHERE d.state = 'orphaned')::integer AS orphaned,
      greatest(0, extract(epoch FROM clock_timestamp() - min(d.due_at) FILTER (WHERE d.state = 'waiting' AND e.state = 'live')))::float8 AS "oldestDueSecs"
    FROM deliveries AS d
    JOIN webhook_endpoints AS e ON e.id = d.endpoint_id
    WHERE d.state IN ('waiting', 'running') OR (d.state IN ('exhausted', 'orphaned') AND NOT d.followed)`.execute(
    db,
  );
  const { oldestDueSecs, ...states } = rows[0]!;
  return { states, oldestDueSecs };
}

export async function selectSessionOf(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ sessionId: string }>`
    SELECT session_id AS "sessionId" FROM deliveries WHERE id = ${id}`.execute(db);
  return rows[0]?.sessionId;
}

/** Deliveries of these sessions' events that are waiting or running. */
export async function selectUnfinished(trx: Trx, sessionIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT d.id FROM deliveries AS d
    JOIN webhook_events AS event ON event.id = d.event_id
    WHERE event.session_id = ANY (${sessionIds}::uuid[]) AND d.finished_at IS NULL`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Deletes the events with their deliveries and attempts. Returns how many deliveries were not finished. */
export async function deleteEvents(trx: Trx, sessionIds: string[]): Promise<number> {
  const { rows } = await sql<{ pending: number }>`
    WITH gone AS (
      DELETE FROM deliveries
      WHERE event_id IN (SELECT id FROM webhook_events WHERE session_id = ANY (${sessionIds}::uuid[]))
      RETURNING finished_at
    )
    SELECT count(*) FILTER (WHERE finished_at IS NULL)::integer AS pending FROM gone`.execute(trx);
  await sql`DELETE FROM webhook_events WHERE session_id = ANY (${sessionIds}::uuid[])`.execute(trx);
  return rows[0]!.pending;
}
