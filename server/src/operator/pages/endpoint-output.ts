import { listAgents } from "#agents";
import type { Db } from "#platform";
import { endpointHealth } from "#webhooks";
import type { Endpoint, EndpointHealth as StoredHealth } from "#webhooks";
import type { ConsoleEndpoint, EndpointHealth } from "@svc/contract/types";

/** Receivers with the names that people know, and how each does. */
export async function toEndpoints(
  db: Db,
  endpoints: Endpoint[],
  accounts: ReadonlyMap<number, { clientId: string; name: string }>,
): Promise<ConsoleEndpoint[]> {
  const ids = endpoints.map(({ id }) => id);
  const health = new Map((await endpointHealth(db, ids)).map((one) => [one.endpointId, one]));
  const limited = endpoints.filter(({ agentIds }) => agentIds !== null);
  const slugs = await slugsOf(db, new Set(limited.map(({ accountId }) => accountId)));
  return endpoints.map(({ id, agentIds, stagedAt, previousUntil, ...endpoint }) => ({
    id,
    url: endpoint.url,
    client_id: accounts.get(endpoint.accountId)!.clientId,
    account_name: accounts.get(endpoint.accountId)!.name,
    state: endpoint.state,
    ...(agentIds !== null && {
      agents: agentIds.map((agentId) => ({ id: agentId, slug: slugs.get(agentId) ?? agentId })),
    }),
    replay_exhausted: endpoint.replayExhausted,
    added_at: endpoint.createdAt.toISOString(),
    ...(stagedAt !== null && { secret_staged_at: stagedAt.toISOString() }),
    ...(previousUntil !== null && { previous_secret_until: previousUntil.toISOString() }),
    health: toHealth(health.get(id)!),
  }));
}

async function slugsOf(db: Db, accountIds: Iterable<number>): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  for (const accountId of accountIds) {
    for (const { id, slug } of await listAgents(db, accountId)) slugs.set(id, slug);
  }
  return slugs;
}

function toHealth({ oldestDueAt, finished, delivered, ...health }: StoredHealth): EndpointHealth {
  return {
    waiting: health.waiting,
    running: health.running,
    failed: health.failed,
    ...(oldestDueAt !== null && { oldest_due_at: oldestDueAt.toISOString() }),
    last_finished: finished,
    last_delivered: delivered,
  };
}
