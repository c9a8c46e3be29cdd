import type { Db } from "#platform";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { DeliveryState } from "../delivery/delivery-store.ts";

export interface DeliveryFilter {
  accountId?: number;
  /** Only of these accounts, of which there may be none. */
  accountIds?: readonly number[];
  endpointId?: string;
  sessionId?: string;
  state?: DeliveryState;
  /** Only deliveries created since then. */
  since?: Date;
  limit: number;
}

/** One event on its way to one endpoint. */
export interface ListedDelivery {
  id: string;
  endpointId: string;
  url: string;
  clientId: string;
  accountName: string;
  sessionId: string;
  /** Of the visitor; null if they gave none, or were forgotten. */
  email: string | null;
  state: DeliveryState;
  /** Recorded outcomes; `orphans` counts attempts that a crash of our own interrupted. */
  attempts: number;
  orphans: number;
  /** While it waits: why it was not attempted when it was last due. */
  heldBecause: string | null;
  followed: boolean;
  replayOf: string | null;
  dueAt: Date;
  createdAt: Date;
  finishedAt: Date | null;
  /** The outcome of the last attempt: `answered`, or the class of the failure. */
  lastOutcome: string | null;
  lastStatus: number | null;
}

export interface DeliveryAttempt {
  attempt: number;
  startedAt: Date;
  tookMs: number;
  outcome: string;
  status: number | null;
  detail: string | null;
  /** The first bytes of the receiver's answer. */
  answer: Buffer | null;
}

/** The state of an endpoint's deliveries. */
export interface EndpointHealth {
  endpointId: string;
  waiting: number;
  running: number;
  /** Exhausted or orphaned, and not followed by a later delivery. */
  failed: number;
  /** When the delivery that waits longest became due. */
  oldestDueAt: Date | null;
  /** The number of the last hundred finished deliveries, and how many of them were delivered. */
  finished: number;
  delivered: number;
}

const LISTED = sql`d.id, d.endpoint_id AS "endpointId", e.url, accounts.client_id AS "clientId", accounts.name AS "accountName",
  d.session_id AS "sessionId", (SELECT email FROM sessions WHERE sessions.id = d.session_id) AS email, d.state, d.attempts, d.orphans, CASE WHEN d.state = 'waiting' THEN d.held_because END AS "heldBecause", d.followed, d.replay_of AS "replayOf", d.due_at AS "dueAt",
  d.created_at AS "createdAt", d.finished_at AS "finishedAt", last.outcome AS "lastOutcome", last.status AS "lastStatus"`;

const WITH_LAST_ATTEMPT = sql`LEFT JOIN LATERAL (
  SELECT outcome, status FROM delivery_attempts WHERE delivery_id = d.id ORDER BY attempt DESC LIMIT 1
) AS last ON true`;

/** The newest first. */
export async function selectDeliveries(db: Db, filter: DeliveryFilter): Promise<ListedDelivery[]> {
  const { accountId, accountIds, endpointId, sessionId, state, since, limit } = filter;
  const which = allOf([
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(since === undefined ? [] : [sql`created_at >= ${since}`]),
  ]);
  const whose = allOf([
    ...(accountId === undefined ? [] : [sql`e.account_id = ${accountId}`]),
    ...(accountIds === undefined ? [] : [sql`e.account_id = ANY (${accountIds}::integer[])`]),
    ...(endpointId === undefined ? [] : [sql`e.id = ${endpointId}`]),
  ]);
  const isOfAll = [accountId, accountIds, endpointId, state].every((one) => one === undefined);
  const found =
    sessionId !== undefined
      ? ofSession(sessionId, which)
      : isOfAll
        ? sql`SELECT * FROM deliveries WHERE ${which} ORDER BY id DESC LIMIT ${limit}`
        : ofEach(whose, which, filter);
  const { rows } = await sql<ListedDelivery>`
    SELECT ${LISTED}
    FROM (${found}) AS d
    JOIN webhook_endpoints AS e ON e.id = d.endpoint_id
    JOIN accounts ON accounts.id = e.account_id
    ${WITH_LAST_ATTEMPT}
    WHERE ${whose}
    ORDER BY d.id DESC
    LIMIT ${limit}`.execute(db);
  return rows;
}

/**
 * Reads the newest deliveries of each endpoint from its own indexes and merges them: in one order
 * over all endpoints, a search for a quiet one would pass every delivery of the busy ones.
 */
function ofEach(
  whose: Condition,
  which: Condition,
  { state, limit }: DeliveryFilter,
): RawBuilder<unknown> {
  // The order names the endpoint, and a range instead of `=` keeps it there: PostgreSQL would otherwise take the order of all
  // deliveries, which the primary key has, and pass those of other endpoints.
  const finished = sql`
    SELECT * FROM deliveries WHERE endpoint_id >= e.id AND endpoint_id <= e.id AND finished_at IS NOT NULL AND ${which}
    ORDER BY endpoint_id DESC, id DESC LIMIT ${limit}`;
  // For the same reason the ids of open ones, of which there are few, are read before they are ordered.
  const open = sql`
    SELECT deliveries.* FROM (
      SELECT id FROM (SELECT id FROM deliveries WHERE endpoint_id = e.id AND finished_at IS NULL AND ${which} OFFSET 0) AS open
      ORDER BY id DESC LIMIT ${limit}
    ) AS newest JOIN deliveries USING (id)`;
  const isOpen = state === "waiting" || state === "running";
  const theirs =
    state === undefined ? sql`(${finished}) UNION ALL (${open})` : isOpen ? open : finished;
  return sql`
    SELECT d.* FROM webhook_endpoints AS e
    CROSS JOIN LATERAL (${theirs}) AS d
    WHERE ${whose}
    ORDER BY d.id DESC
    LIMIT ${limit}`;
}

function ofSession(sessionId: string, which: Condition): RawBuilder<unknown> {
  return sql`SELECT * FROM deliveries WHERE event_id IN (SELECT id FROM webhook_events WHERE session_id = ${sessionId}) AND ${which}`;
}

type Condition = RawBuilder<unknown>;

function allOf(conditions: Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}

export interface StoredDelivery extends ListedDelivery {
  endpointState: "live" | "paused" | "removed";
  behind: string | null;
  eventId: string;
  version: number;
  eventAt: Date;
  body: Buffer;
}

export async function selectDelivery(db: Db, id: string): Promise<StoredDelivery | undefined> {
  const { rows } = await sql<StoredDelivery>`
    SELECT ${LISTED}, e.state AS "endpointState", event.id AS "eventId", event.version, event.at AS "eventAt", event.body,
      (SELECT max(older.id) FROM deliveries AS older
       WHERE d.finished_at IS NULL AND older.finished_at IS NULL AND older.endpoint_id = d.endpoint_id AND older.session_id = d.session_id AND older.id < d.id) AS behind
    FROM deliveries AS d
    JOIN webhook_endpoints AS e ON e.id = d.endpoint_id
    JOIN accounts ON accounts.id = e.account_id
    JOIN webhook_events AS event ON event.id = d.event_id
    ${WITH_LAST_ATTEMPT}
    WHERE d.id = ${id}`.execute(db);
  return rows[0];
}

/** What became of each session's deliveries, leaving out what a later one has replaced. */
export async function selectStatesOfSessions(
  db: Db,
  sessionIds: string[],
): Promise<{ sessionId: string; states: DeliveryState[] }[]> {
  const { rows } = await sql<{ sessionId: string; states: DeliveryState[] }>`
    SELECT event.session_id AS "sessionId", array_agg(DISTINCT d.state) AS states
    FROM webhook_events AS event
    JOIN deliveries AS d ON d.event_id = event.id
    WHERE event.session_id = ANY (${sessionIds}::uuid[]) AND NOT d.followed AND d.state <> 'cancelled'
    GROUP BY event.session_id`.execute(db);
  return rows;
}

export async function selectAttempts(db: Db, deliveryId: string): Promise<DeliveryAttempt[]> {
  const { rows } = await sql<DeliveryAttempt>`
    SELECT attempt, started_at AS "startedAt", took_ms AS "tookMs", outcome, status, detail, answer
    FROM delivery_attempts WHERE delivery_id = ${deliveryId} ORDER BY attempt`.execute(db);
  return rows;
}

export async function selectReplays(db: Db, deliveryId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT again.id FROM deliveries AS d
    JOIN deliveries AS again ON again.event_id = d.event_id AND again.replay_of = d.id
    WHERE d.id = ${deliveryId} ORDER BY again.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The number of finished deliveries that an endpoint's health is judged by. */
const RECENT = 100;

export async function selectHealth(db: Db, endpointIds: string[]): Promise<EndpointHealth[]> {
  const { rows } = await sql<EndpointHealth>`
    SELECT e.id AS "endpointId", open.waiting, open.running, failed.failed, open."oldestDueAt", recent.finished, recent.delivered
    FROM unnest(${endpointIds}::text[]) AS e (id)
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE state = 'waiting')::integer AS waiting, count(*) FILTER (WHERE state = 'running')::integer AS running,
        min(due_at) FILTER (WHERE state = 'waiting' AND due_at <= clock_timestamp()) AS "oldestDueAt"
      FROM deliveries WHERE endpoint_id = e.id AND finished_at IS NULL
    ) AS open
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS failed FROM deliveries
      WHERE endpoint_id = e.id AND state IN ('exhausted', 'orphaned') AND NOT followed
    ) AS failed
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS finished, count(*) FILTER (WHERE state = 'delivered')::integer AS delivered
      FROM (
        SELECT state FROM deliveries WHERE endpoint_id = e.id AND finished_at IS NOT NULL AND state <> 'cancelled'
        ORDER BY id DESC LIMIT ${RECENT}
      ) AS last
    ) AS recent`.execute(db);
  return rows;
}
