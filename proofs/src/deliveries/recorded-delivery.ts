import { hash } from "node:crypto";
import type { TestDatabase } from "@svc/server/testing";

/** What our own tables say of a delivery. */
export interface RecordedDelivery {
  id: number;
  endpointId: string;
  sessionId: string;
  /** As receivers see it. */
  webhookId: string;
  version: number;
  state: string;
  /** Crashes of ours that cut it short. */
  orphans: number;
  bodySha256: string;
  attempts: { startedAtMs: number; tookMs: number; outcome: string; status: number | null }[];
}

/** Those after this id, the oldest first. */
export async function readDeliveries(
  { pool }: TestDatabase,
  afterId = 0,
): Promise<RecordedDelivery[]> {
  const { rows } = await pool.query<Omit<RecordedDelivery, "bodySha256"> & { body: Buffer }>(
    `SELECT d.id::integer, d.endpoint_id AS "endpointId", d.session_id AS "sessionId", 'evt_' || replace(d.event_id::text, '-', '') AS "webhookId",
       event.version, d.state, d.orphans, event.body,
       (SELECT coalesce(json_agg(json_build_object('startedAtMs', extract(epoch FROM a.started_at) * 1000, 'tookMs', a.took_ms,
          'outcome', a.outcome, 'status', a.status) ORDER BY a.attempt), '[]') FROM delivery_attempts AS a WHERE a.delivery_id = d.id) AS attempts
     FROM deliveries AS d JOIN webhook_events AS event ON event.id = d.event_id
     WHERE d.id > $1 ORDER BY d.id`,
    [afterId],
  );
  return rows.map(({ body, ...delivery }) => ({
    ...delivery,
    bodySha256: hash("sha256", body, "hex"),
  }));
}

export async function countUnfinished({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "SELECT count(*)::integer FROM deliveries WHERE finished_at IS NULL",
  );
  return rows[0]!.count;
}
