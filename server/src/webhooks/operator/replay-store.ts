import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { DeliveryState } from "../delivery/delivery-store.ts";

/**
 * The deliveries to send again. Unless they are named one by one, only the newest of each session
 * and endpoint is chosen: older data must not overwrite newer.
 */
export type ReplayChoice =
  | { ids: string[] }
  | { sessionId: string }
  | (Receivers & { failedSince: Date })
  /** Created in that time, delivered or not. */
  | (Receivers & { from: Date; to: Date });

export type Receivers = { endpointId: string } | { accountId: number };

/** A chosen delivery with everything that may prevent its replay. */
export interface ChosenDelivery {
  id: string;
  endpointId: string;
  accountId: number;
  sessionId: string;
  state: DeliveryState;
  followed: boolean;
  endpointRemoved: boolean;
}

/** A range of the chosen deliveries by id: after one, up to another, at most so many. */
export interface ChosenPart {
  after: string;
  upTo: string;
  limit: number;
}

/** The oldest first. */
export async function selectChosen(
  db: Db | Trx,
  choice: ReplayChoice,
  { after, upTo, limit }: ChosenPart,
): Promise<ChosenDelivery[]> {
  const { rows } = await sql<ChosenDelivery>`
    SELECT d.id, d.endpoint_id AS "endpointId", e.account_id AS "accountId", d.session_id AS "sessionId", d.state, d.followed,
      e.state = 'removed' AS "endpointRemoved"
    FROM deliveries AS d
    JOIN webhook_endpoints AS e ON e.id = d.endpoint_id
    WHERE ${chosenBy(choice)} AND d.id > ${after} AND d.id <= ${upTo}
    ORDER BY d.id
    LIMIT ${limit}`.execute(db);
  return rows;
}

export async function selectLastId(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    SELECT coalesce(max(id), 0) AS id FROM deliveries`.execute(db);
  return rows[0]!.id;
}

function chosenBy(choice: ReplayChoice): RawBuilder<unknown> {
  if ("ids" in choice) return sql`d.id = ANY (${choice.ids}::bigint[])`;
  if ("sessionId" in choice) {
    return sql`NOT d.followed AND d.event_id IN (SELECT id FROM webhook_events WHERE session_id = ${choice.sessionId})`;
  }
  const theirs =
    "endpointId" in choice
      ? sql`d.endpoint_id = ${choice.endpointId}`
      : sql`d.endpoint_id IN (SELECT id FROM webhook_endpoints WHERE account_id = ${choice.accountId})`;
  const which =
    "failedSince" in choice
      ? sql`d.state IN ('exhausted', 'orphaned') AND d.finished_at >= ${choice.failedSince}`
      : sql`d.finished_at IS NOT NULL AND d.created_at >= ${choice.from} AND d.created_at < ${choice.to}`;
  return sql`${theirs} AND e.state <> 'removed' AND NOT d.followed AND ${which}`;
}

/**
 * Locks the endpoints until the transaction ends: no event is written for them meanwhile, so that a
 * newer one cannot get ahead of a replay, and no other replay runs.
 */
export async function lockForReplay(trx: Trx, endpointIds: string[]): Promise<void> {
  await sql`SELECT FROM webhook_endpoints WHERE id = ANY (${endpointIds}) ORDER BY id FOR UPDATE`.execute(
    trx,
  );
}

/** Inserts new deliveries of the same events, the oldest first. The endpoints must be locked. */
export async function insertReplays(
  trx: Trx,
  ids: string[],
): Promise<{ id: string; replayOf: string }[]> {
  const { rows } = await sql<{ id: string; replayOf: string }>`
    WITH followed AS (
      UPDATE deliveries SET followed = true
      WHERE id = ANY (${ids}::bigint[]) AND NOT followed AND finished_at IS NOT NULL
      RETURNING id, endpoint_id, event_id, session_id
    )
    INSERT INTO deliveries (endpoint_id, event_id, session_id, due_at, created_at, replay_of)
    SELECT endpoint_id, event_id, session_id, date_trunc('milliseconds', clock_timestamp()), clock_timestamp(), id FROM followed ORDER BY id
    RETURNING id, replay_of AS "replayOf"`.execute(trx);
  return rows;
}

/**
 * Failed deliveries of an endpoint that asked for automatic replay, the oldest first. An event that
 * failed so many times is left to the operator, because the receiver may never accept it. So is one
 * whose first delivery was deleted, because its attempts can no longer be counted.
 */
export async function selectToReplay(
  trx: Trx,
  endpointId: string,
  { limit, times }: { limit: number; times: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT d.id FROM deliveries AS d
    JOIN webhook_endpoints AS e ON e.id = d.endpoint_id AND e.replay_exhausted
    WHERE d.endpoint_id = ${endpointId} AND d.state IN ('exhausted', 'orphaned') AND NOT d.followed
      AND (SELECT bool_or(other.replay_of IS NULL) AND count(*) < ${times}
        FROM deliveries AS other WHERE other.event_id = d.event_id AND other.endpoint_id = d.endpoint_id)
    ORDER BY d.finished_at
    LIMIT ${limit}`.execute(trx);
  return rows.map(({ id }) => id);
}
