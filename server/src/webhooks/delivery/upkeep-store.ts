import { sql } from "kysely";
import type { Db } from "#platform";

/**
 * Removes deliveries that have been finished for so long, with what was answered, and then events
 * that no delivery is left of. Found by the event's time, which is earlier and has an index.
 */
export async function forgetDeliveries(db: Db, keepDays: number, most: number): Promise<number> {
  const longAgo = sql`clock_timestamp() - make_interval(days => ${keepDays})`;
  const { numAffectedRows } = await sql`
    DELETE FROM deliveries WHERE id IN (
      SELECT d.id FROM webhook_events AS event
      JOIN deliveries AS d ON d.event_id = event.id
      WHERE event.at < ${longAgo} AND d.finished_at < ${longAgo}
      ORDER BY event.at
      LIMIT ${most})`.execute(db);
  await sql`
    DELETE FROM webhook_events WHERE id IN (
      SELECT id FROM webhook_events AS event
      WHERE at < ${longAgo} AND NOT EXISTS (SELECT FROM deliveries AS d WHERE d.event_id = event.id)
      ORDER BY at
      LIMIT ${most})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

export interface DeliveryCounts {
  states: Record<"waiting" | "running" | "exhausted" | "orphaned", number>;
  oldestDueSecs: number;
}

/** What waits, runs or failed. A delivery that a later one has followed is not counted as failed. */
export async function countDeliveries(db: Db): Promise<DeliveryCounts> {
  const { rows } = await sql<DeliveryCounts["states"] & { oldestDueSecs: number }>`
    SELECT count(*) FILTER (WHERE d.state = 'waiting')::integer AS waiting,
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
