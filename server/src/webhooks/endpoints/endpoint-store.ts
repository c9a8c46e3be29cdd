import type { Db, Trx } from "#platform";
import { sql } from "kysely";

export type EndpointState = "live" | "paused" | "removed";

export interface EndpointRow {
  id: string;
  accountId: number;
  url: string;
  /** Null for all agents of the account. */
  agentIds: string[] | null;
  state: EndpointState;
  replayExhausted: boolean;
  createdAt: Date;
  /** Since when a new secret has been staged. */
  stagedAt: Date | null;
  /** Until when the secret before the current one signs too. */
  previousUntil: Date | null;
}

const COLUMNS = sql`id, account_id AS "accountId", url, agent_ids AS "agentIds", state,
  replay_exhausted AS "replayExhausted", created_at AS "createdAt", staged_at AS "stagedAt", previous_until AS "previousUntil"`;

export async function insertEndpoint(
  trx: Trx,
  endpoint: Pick<EndpointRow, "id" | "accountId" | "url" | "agentIds" | "replayExhausted"> & {
    secret: string;
  },
): Promise<void> {
  await sql`
    INSERT INTO webhook_endpoints (id, account_id, url, agent_ids, replay_exhausted, secret)
    VALUES (${endpoint.id}, ${endpoint.accountId}, ${endpoint.url}, ${endpoint.agentIds}, ${endpoint.replayExhausted}, ${endpoint.secret})`.execute(
    trx,
  );
}

/** Endpoints that have not been removed, or the one with that id even if it was removed. */
export async function selectEndpoints(
  db: Db | Trx,
  which: { accountId: number } | { id: string } | "all",
): Promise<EndpointRow[]> {
  const condition =
    which === "all"
      ? sql`state <> 'removed'`
      : "id" in which
        ? sql`id = ${which.id}`
        : sql`account_id = ${which.accountId} AND state <> 'removed'`;
  const { rows } = await sql<EndpointRow>`
    SELECT ${COLUMNS} FROM webhook_endpoints WHERE ${condition} ORDER BY account_id, created_at, id`.execute(
    db,
  );
  return rows;
}

export interface LockedEndpoint extends EndpointRow {
  secret: string;
  stagedSecret: string | null;
}

/** Locks the endpoint until the transaction ends. Undefined when there is none, or it was removed. */
export async function lockEndpoint(trx: Trx, id: string): Promise<LockedEndpoint | undefined> {
  const { rows } = await sql<LockedEndpoint>`
    SELECT ${COLUMNS}, secret, staged_secret AS "stagedSecret" FROM webhook_endpoints WHERE id = ${id} AND state <> 'removed' FOR UPDATE`.execute(
    trx,
  );
  return rows[0];
}

export async function updateEndpointState(
  trx: Trx,
  id: string,
  state: EndpointState,
): Promise<void> {
  await sql`UPDATE webhook_endpoints SET state = ${state} WHERE id = ${id}`.execute(trx);
}

/** Cancels everything that has not been delivered to the endpoint. */
export async function cancelDeliveries(trx: Trx, endpointId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE deliveries SET state = 'cancelled', finished_at = clock_timestamp()
    WHERE endpoint_id = ${endpointId} AND state IN ('waiting', 'running')`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}
