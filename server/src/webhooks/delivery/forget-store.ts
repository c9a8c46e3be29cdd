import { sql } from "kysely";
import { forgetJobs } from "#platform";
import type { Trx } from "#platform";

/**
 * Removes the events of these sessions with their deliveries, attempts and jobs, and says how many
 * deliveries will now never be made. A request that is under way may still arrive: it cannot be taken back.
 */
export async function forgetEvents(trx: Trx, sessionIds: string[]): Promise<number> {
  const { rows: unfinished } = await sql<{ id: string }>`
    SELECT d.id FROM deliveries AS d
    JOIN webhook_events AS event ON event.id = d.event_id
    WHERE event.session_id = ANY (${sessionIds}::uuid[]) AND d.finished_at IS NULL`.execute(trx);
  await forgetJobs(
    trx,
    "deliveryId",
    unfinished.map(({ id }) => id),
  );
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
