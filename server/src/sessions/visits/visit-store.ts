import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { networksOf, UNKNOWN_ADDRESS } from "./networks.ts";
import type { TestCounts, VisitCounts } from "./visit-limits.ts";

/** The reason why a session is a test: it came from one of the agent's test origins, or with a preview token. */
export type TestReason = "test_origin" | "preview_token";

/**
 * Serialises the starts of an account. A separate statement: one that locks and counts at once
 * would count the state before it waited.
 */
export async function lockAccountClock(trx: Trx, accountId: number): Promise<void> {
  await sql`SELECT 1 FROM account_clocks WHERE account_id = ${accountId} FOR UPDATE`.execute(trx);
}

const TODAY = sql`(clock_timestamp() AT TIME ZONE 'UTC')::date`;

/** Each count covers a few rows: the account's current conversations, and its last ten minutes. Test sessions have counts of their own. */
export async function selectVisitCounts(
  db: Db | Trx,
  visitor: { accountId: number; agentId: string; address: string },
): Promise<VisitCounts> {
  const { accountId, agentId, address } = visitor;
  const networks = networksOf(address);
  const { rows } = await sql<
    Omit<VisitCounts, "networks"> & Record<"atOnce" | "unconnected" | "lastTenMinutes", number[]>
  >`
    WITH open AS (
      SELECT sessions.agent_id, sessions.connected_at, visits.address, nullif(visits.address, ${UNKNOWN_ADDRESS})::cidr AS network
      FROM agents
      JOIN sessions ON sessions.agent_id = agents.id AND sessions.ended_at IS NULL AND NOT sessions.test
      JOIN visits ON visits.session_id = sessions.id
      WHERE agents.account_id = ${accountId}
    ), recent AS (
      SELECT started_at, address, nullif(address, ${UNKNOWN_ADDRESS})::cidr AS network
      FROM visits
      WHERE account_id = ${accountId} AND test_reason IS NULL AND started_at > clock_timestamp() - interval '10 minutes'
    ), wider AS (
      SELECT cidr::cidr, n FROM unnest(${networks.map(({ cidr }) => cidr)}::text[]) WITH ORDINALITY AS wider (cidr, n)
    )
    SELECT
      (SELECT count(*)::integer FROM open WHERE agent_id = ${agentId} AND connected_at IS NOT NULL) AS "agentAtOnce",
      (SELECT count(*)::integer FROM open WHERE agent_id = ${agentId} AND connected_at IS NULL) AS "agentUnconnected",
      (SELECT count(*)::integer FROM open WHERE address = ${address}) AS "addressAtOnce",
      (SELECT count(*)::integer FROM recent
        WHERE address = ${address} AND started_at > clock_timestamp() - interval '1 minute') AS "addressLastMinute",
      ARRAY(SELECT (SELECT count(*)::integer FROM open WHERE network <<= cidr) FROM wider ORDER BY n) AS "atOnce",
      ARRAY(SELECT (SELECT count(*)::integer FROM open WHERE connected_at IS NULL AND network <<= cidr)
        FROM wider ORDER BY n) AS unconnected,
      ARRAY(SELECT (SELECT count(*)::integer FROM recent WHERE network <<= cidr) FROM wider ORDER BY n) AS "lastTenMinutes",
      coalesce(today.starts, 0) AS "startsToday",
      (coalesce(today.cost_micros, 0) + ${reserved(agentId, false)})::float8 AS "costMicrosToday"
    FROM (VALUES (1)) AS one
    LEFT JOIN agent_days AS today ON today.agent_id = ${agentId} AND today.day = ${TODAY}`.execute(
    db,
  );
  const { atOnce, unconnected, lastTenMinutes, ...counts } = rows[0]!;
  return {
    ...counts,
    networks: networks.map(({ bits }, n) => ({
      bits,
      atOnce: atOnce[n]!,
      unconnected: unconnected[n]!,
      lastTenMinutes: lastTenMinutes[n]!,
    })),
  };
}

/** Reads the account's test sessions of the day, which the index `sessions_set_apart` holds. */
export async function selectTestCounts(
  db: Db | Trx,
  { accountId, agentId }: { accountId: number; agentId: string },
): Promise<TestCounts> {
  const { rows } = await sql<TestCounts>`
    SELECT
      (SELECT count(*)::integer FROM sessions WHERE agent_id = ${agentId} AND ended_at IS NULL AND test) AS "atOnce",
      (count(*) FILTER (WHERE created_at > clock_timestamp() - interval '1 minute'))::integer AS "lastMinute",
      (count(*) FILTER (WHERE created_at >= ${TODAY}::timestamp AT TIME ZONE 'UTC'))::integer AS "startsToday",
      coalesce(sum(cost_micros) FILTER (WHERE created_at >= ${TODAY}::timestamp AT TIME ZONE 'UTC'), 0)::float8 + ${reserved(agentId, true)}::float8 AS "costMicrosToday"
    FROM sessions
    WHERE account_id = ${accountId} AND agent_id = ${agentId} AND test AND created_at > clock_timestamp() - interval '1 day'`.execute(
    db,
  );
  return rows[0]!;
}

/** What calls that go on, and evaluations that are due, may still cost. */
function reserved(agentId: string, isTest: boolean): RawBuilder<unknown> {
  return sql`(SELECT coalesce(sum(reserved_micros), 0) FROM sessions
        WHERE agent_id = ${agentId} AND reserved_micros > 0 AND test = ${isTest})`;
}

export interface KnownVisit {
  sessionId: string;
  requestSha256: Buffer;
  testReason: TestReason | null;
  /** Of the page that started it. */
  origin: string | null;
}

export async function selectVisit(
  db: Db | Trx,
  agentId: string,
  idempotencyKey: string,
): Promise<KnownVisit | undefined> {
  const { rows } = await sql<KnownVisit>`
    SELECT session_id AS "sessionId", request_sha256 AS "requestSha256", test_reason AS "testReason", origin
    FROM visits WHERE agent_id = ${agentId} AND start_key = ${idempotencyKey}`.execute(db);
  return rows[0];
}

/** The id of an ended session of the agent's, whose last token this is; undefined where it is another's, or too long ago. */
export async function selectContinued(
  trx: Trx,
  agentId: string,
  { sessionId, continueHash }: { sessionId: string; continueHash: Buffer },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT s.id FROM visits AS v JOIN sessions AS s ON s.id = v.session_id
    WHERE v.session_id = ${sessionId} AND v.agent_id = ${agentId} AND v.continue_hash = ${continueHash}
      AND s.ended_at > clock_timestamp() - interval '1 hour'`.execute(trx);
  return rows[0]?.id;
}

export async function insertVisit(
  trx: Trx,
  visit: KnownVisit & {
    accountId: number;
    agentId: string;
    idempotencyKey: string;
    address: string;
    origin: string | null;
    ticketHash: Buffer;
    /** The session that the visitor goes on from. */
    continues: string | undefined;
  },
  ticketSecs: number,
): Promise<void> {
  // Uses `clock_timestamp()`: the transaction's time is from before it waited for the lock, which would shorten the last minute.
  await sql`
    INSERT INTO visits (session_id, account_id, agent_id, start_key, request_sha256, started_at, address, test_reason,
      ticket_hash, ticket_until, continues, origin)
    VALUES (${visit.sessionId}, ${visit.accountId}, ${visit.agentId}, ${visit.idempotencyKey}, ${visit.requestSha256},
      clock_timestamp(), ${visit.address}, ${visit.testReason}, ${visit.ticketHash},
      clock_timestamp() + make_interval(secs => ${ticketSecs}), ${visit.continues ?? null}::uuid, ${visit.origin})`.execute(
    trx,
  );
}

/** Locks all but the newest sessions that nobody has connected to. One that connects at this moment is passed over. */
export async function lockOldestUnconnected(
  trx: Trx,
  agentId: string,
  newest: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM sessions
    WHERE ended_at IS NULL AND connected_at IS NULL AND id IN (
      SELECT id FROM sessions
      WHERE agent_id = ${agentId} AND ended_at IS NULL AND connected_at IS NULL AND NOT test
      ORDER BY created_at DESC
      OFFSET ${newest}
    )
    FOR NO KEY UPDATE SKIP LOCKED`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Serialises the connecting visitors of an agent. A separate statement, for the same reason as `lockAccountClock`. */
export async function lockAgent(trx: Trx, agentId: string): Promise<void> {
  await sql`SELECT 1 FROM agents WHERE id = ${agentId} FOR NO KEY UPDATE`.execute(trx);
}

export async function countConnected(trx: Trx, agentId: string): Promise<number> {
  const { rows } = await sql<{ connected: number }>`
    SELECT count(*)::integer AS connected FROM sessions
    WHERE agent_id = ${agentId} AND ended_at IS NULL AND connected_at IS NOT NULL AND NOT test`.execute(
    trx,
  );
  return rows[0]!.connected;
}

/** Returns the agent's starts of the day, this one included. */
export async function incrementStarts(trx: Trx, agentId: string): Promise<number> {
  const { rows } = await sql<{ starts: number }>`
    INSERT INTO agent_days (agent_id, day, starts) VALUES (${agentId}, ${TODAY}, 1)
    ON CONFLICT (agent_id, day) DO UPDATE SET starts = agent_days.starts + 1
    RETURNING starts`.execute(trx);
  return rows[0]!.starts;
}

/** An agent that talked to somebody today. */
export interface AgentDay {
  agentId: string;
  slug: string;
  account: string;
  starts: number;
}

export async function selectToday(db: Db): Promise<AgentDay[]> {
  const { rows } = await sql<AgentDay>`
    SELECT agents.id AS "agentId", agents.slug, accounts.name AS account, agent_days.starts
    FROM agent_days
    JOIN agents ON agents.id = agent_days.agent_id AND agents.removed_at IS NULL
    JOIN accounts ON accounts.id = agents.account_id
    WHERE agent_days.day = ${TODAY}
    ORDER BY accounts.name, agents.slug`.execute(db);
  return rows;
}

/** Replaces the ticket. False once a socket was opened, or the session has ended: who copied the start would get into the call. */
export async function renewTicket(
  db: Db | Trx,
  sessionId: string,
  ticketHash: Buffer,
  ticketSecs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE visits SET ticket_hash = ${ticketHash}, ticket_until = clock_timestamp() + make_interval(secs => ${ticketSecs})
    FROM sessions
    WHERE visits.session_id = ${sessionId} AND sessions.id = visits.session_id AND sessions.ended_at IS NULL
      AND visits.resume_hash IS NULL`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * Returns the number of deleted visits. Those of running sessions are kept, because they count
 * against limits.
 */
export async function deleteOldVisits(db: Db, hours: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM visits WHERE session_id IN (
      SELECT visits.session_id FROM visits JOIN sessions ON sessions.id = visits.session_id
      WHERE visits.started_at < clock_timestamp() - make_interval(hours => ${hours}) AND sessions.ended_at IS NOT NULL
      ORDER BY visits.started_at
      LIMIT ${limit}
    )`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
