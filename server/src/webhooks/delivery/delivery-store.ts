import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { SIGNING } from "../endpoints/endpoint-secret-store.ts";
import type { SealedSecrets } from "../endpoints/sealed-secrets.ts";

export const DELIVERY_STATES = [
  "waiting",
  "running",
  "delivered",
  "exhausted",
  "orphaned",
  "cancelled",
] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Truncated, because the column would round up, and what is due now would be due in half a millisecond. */
const NOW = sql`date_trunc('milliseconds', clock_timestamp())`;

export interface NewEvent {
  id: string;
  accountId: number;
  agentId: string;
  sessionId: string;
  version: number;
  at: Date;
  body: Buffer;
}

/**
 * Inserts an event with a delivery for each live or paused endpoint of the account that wants
 * events of this agent.
 */
export async function insertEvent(trx: Trx, event: NewEvent): Promise<number> {
  const endpointIds = await lockReceivers(trx, event);
  // Without an endpoint no event is stored, because nobody could ask for it.
  if (endpointIds.length === 0) return 0;
  const { rows } = await sql<{ count: number }>`
    WITH followed AS (
      UPDATE deliveries SET followed = true
      WHERE event_id IN (SELECT id FROM webhook_events WHERE session_id = ${event.sessionId})
        AND endpoint_id = ANY (${endpointIds}) AND NOT followed
    ), event AS (
      INSERT INTO webhook_events (id, session_id, version, at, body)
      VALUES (${event.id}, ${event.sessionId}, ${event.version}, ${event.at}, ${event.body})
      RETURNING id
    ), written AS (
      INSERT INTO deliveries (endpoint_id, event_id, session_id, due_at, created_at)
      SELECT endpoint_id, event.id, ${event.sessionId}, ${NOW}, ${NOW}
      FROM unnest(${endpointIds}::text[]) AS endpoint_id CROSS JOIN event
      RETURNING 1
    )
    SELECT count(*)::integer AS count FROM written`.execute(trx);
  return rows[0]!.count;
}

/**
 * A separate statement, so that the next one sees the state after the lock: an endpoint that is
 * being removed would otherwise get a delivery that nobody cancels, and a replay could overtake a
 * newer event.
 */
async function lockReceivers(
  trx: Trx,
  { accountId, agentId }: Pick<NewEvent, "accountId" | "agentId">,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM webhook_endpoints
    WHERE account_id = ${accountId} AND state <> 'removed' AND (agent_ids IS NULL OR ${agentId} = ANY (agent_ids))
    ORDER BY id
    FOR KEY SHARE`.execute(trx);
  return rows.map(({ id }) => id);
}

/**
 * Returns whether dispatching is worth a transaction. `ORDER BY` makes PostgreSQL use the index: after a
 * busy moment it would otherwise prefer to read the whole table.
 */
export async function isAnyWaiting(db: Db): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM deliveries WHERE state = 'waiting' ORDER BY endpoint_id, due_at LIMIT 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Gives free slots to due deliveries and returns the deliveries that got one. */
export async function admitDue(
  trx: Trx,
  { slots, limit }: { slots: number; limit: number },
): Promise<string[]> {
  const endpointIds = await lockReady(trx, { slots, limit });
  if (endpointIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    WITH admitted AS (
      SELECT due.id FROM unnest(${endpointIds}::text[]) AS locked (id)
      CROSS JOIN LATERAL (
        SELECT id FROM (
          (${dueOf(sql`locked.id`, sql`d.attempts > 0`, slots)}) UNION ALL (${dueOf(sql`locked.id`, sql`d.attempts = 0`, slots)})
        ) AS next
        LIMIT greatest(0, ${slots} - (${running(sql`locked.id`)}))
      ) AS due
    )
    UPDATE deliveries SET state = 'running' WHERE id IN (SELECT id FROM admitted) AND state = 'waiting'
    RETURNING id`.execute(trx);
  return rows.map(({ id }) => id);
}

/**
 * Endpoints that have something due and a free slot. An endpoint that another dispatcher has locked
 * is skipped. Deliveries which that dispatcher admitted are visible only to the next statement:
 * counted here, an endpoint could get more than its slots. The scan jumps along the index from
 * endpoint to endpoint, so that one endpoint's backlog does not slow the others; `EXISTS` in place
 * of `IS NOT NULL` would drop the order and read the table.
 */
async function lockReady(
  trx: Trx,
  { slots, limit }: { slots: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE waiting AS (
      (SELECT endpoint_id FROM deliveries WHERE state = 'waiting' ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT endpoint_id FROM deliveries WHERE state = 'waiting' AND endpoint_id > waiting.endpoint_id ORDER BY endpoint_id LIMIT 1)
      FROM waiting WHERE waiting.endpoint_id IS NOT NULL
    ), ready AS MATERIALIZED (
      SELECT waiting.endpoint_id AS id FROM waiting
      JOIN webhook_endpoints AS e ON e.id = waiting.endpoint_id AND e.state = 'live'
      WHERE (${dueOf(sql`waiting.endpoint_id`, sql`true`, 1)}) IS NOT NULL AND (${running(sql`waiting.endpoint_id`)}) < ${slots}
      LIMIT ${limit}
    )
    SELECT id FROM ready WHERE pg_try_advisory_xact_lock(${LOCK}, hashtext(id))`.execute(trx);
  return rows.map(({ id }) => id);
}

const running = (endpointId: RawBuilder<unknown>) =>
  sql`SELECT count(*) FROM deliveries WHERE endpoint_id = ${endpointId} AND state = 'running'`;

/**
 * Waits for older deliveries of the same session. Uses `statement_timestamp()`, because a clock
 * that changes within a statement cannot bound an index scan.
 */
const dueOf = (endpointId: RawBuilder<unknown>, which: RawBuilder<unknown>, limit: number) => sql`
  SELECT d.id FROM deliveries AS d
  WHERE d.endpoint_id = ${endpointId} AND d.state = 'waiting' AND ${which} AND d.due_at <= statement_timestamp()
    AND NOT EXISTS (
      SELECT FROM deliveries AS older
      WHERE older.endpoint_id = d.endpoint_id AND older.session_id = d.session_id AND older.id < d.id AND older.finished_at IS NULL)
  ORDER BY d.due_at
  LIMIT ${limit}`;

/** The first key of the dispatcher's advisory locks; the second is the endpoint. */
const LOCK = 7_305;

/** A delivery that is about to be attempted, with all that the attempt needs. */
export interface DueDelivery extends SealedSecrets {
  id: string;
  endpointId: string;
  accountId: number;
  url: string;
  replayExhausted: boolean;
  sessionId: string;
  eventId: string;
  body: Buffer;
  attempts: number;
  orphans: number;
  /** Why it was not attempted when it was last due. */
  heldBecause: string | null;
  /** The database's clock when the attempt begins. */
  startedAt: Date;
}

/** Only running ones: not those that were delivered, cancelled or deleted meanwhile. */
export async function selectDue(db: Db, deliveryIds: string[]): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    SELECT d.id, d.endpoint_id AS "endpointId", e.account_id AS "accountId", e.url, ${SIGNING}, e.replay_exhausted AS "replayExhausted",
      d.session_id AS "sessionId", d.event_id AS "eventId", event.body, d.attempts, d.orphans, d.held_because AS "heldBecause", clock_timestamp() AS "startedAt"
    FROM deliveries AS d
    JOIN webhook_endpoints AS e ON e.id = d.endpoint_id
    JOIN webhook_events AS event ON event.id = d.event_id
    WHERE d.id = ANY (${deliveryIds}::bigint[]) AND d.state = 'running'`.execute(db);
  return rows;
}

export interface AttemptRecord {
  startedAt: Date;
  tookMs: number;
  outcome: string;
  status: number | undefined;
  detail: string | undefined;
  answer: Buffer | undefined;
}

export type Verdict =
  | { state: "delivered" | "exhausted" }
  /** The next attempt starts this long after the start of this one. */
  | { state: "waiting"; backoffMs: number };

/** Records the outcome of an attempt and counts it. False when the delivery was cancelled meanwhile. */
export async function recordAttempt(
  trx: Trx,
  delivery: Pick<DueDelivery, "id" | "attempts" | "orphans">,
  attempt: AttemptRecord,
  verdict: Verdict,
): Promise<boolean> {
  const dueAt =
    verdict.state === "waiting" ? new Date(attempt.startedAt.getTime() + verdict.backoffMs) : null;
  const { rows } = await sql`
    WITH attempted AS (
      INSERT INTO delivery_attempts (delivery_id, attempt, started_at, took_ms, outcome, status, detail, answer)
      VALUES (${delivery.id}, ${delivery.attempts + 1}, ${attempt.startedAt}, ${Math.round(attempt.tookMs)}, ${attempt.outcome},
        ${attempt.status ?? null}, ${attempt.detail ?? null}, ${attempt.answer ?? null})
    )
    UPDATE deliveries SET state = ${verdict.state}, attempts = attempts + 1, orphans = ${delivery.orphans}, held_because = NULL,
      due_at = coalesce(${dueAt}, due_at), finished_at = CASE WHEN ${dueAt}::timestamptz IS NULL THEN clock_timestamp() END
    WHERE id = ${delivery.id} AND state = 'running'
    RETURNING id`.execute(trx);
  return rows.length > 0;
}

/** Lets a running delivery wait for so long without counting an attempt. */
export async function holdDelivery(
  trx: Trx,
  { id, orphans }: Pick<DueDelivery, "id" | "orphans">,
  { because, forMs }: { because: string; forMs: number },
): Promise<void> {
  await sql`
    UPDATE deliveries SET state = 'waiting', orphans = ${orphans}, held_because = ${because},
      due_at = ${NOW} + make_interval(secs => ${forMs / 1_000})
    WHERE id = ${id} AND state = 'running'`.execute(trx);
}

/**
 * Marks a delivery that was interrupted too often by crashes of our own: it is kept and listed, and
 * sent only on request.
 */
export async function markOrphaned(
  trx: Trx,
  deliveryId: string,
  orphans: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ endpointId: string }>`
    UPDATE deliveries SET state = 'orphaned', orphans = ${orphans}, finished_at = clock_timestamp()
    WHERE id = ${deliveryId} AND state = 'running'
    RETURNING endpoint_id AS "endpointId"`.execute(trx);
  return rows[0]?.endpointId;
}

/** Returns whether the account's contact should be notified now: at most once per endpoint and hour. */
export async function claimNotice(trx: Trx, endpointId: string): Promise<boolean> {
  const { rows } = await sql`
    UPDATE webhook_endpoints SET noticed_at = clock_timestamp()
    WHERE id = ${endpointId} AND (noticed_at IS NULL OR noticed_at < clock_timestamp() - interval '1 hour')
    RETURNING id`.execute(trx);
  return rows.length > 0;
}
