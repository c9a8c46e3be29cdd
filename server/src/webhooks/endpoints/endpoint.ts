import { audit } from "#accounts";
import { AppError, checkAddress, newEndpointId, newWebhookSecret } from "#platform";
import type { Cell, Db, Secrets, TargetRules, Trx } from "#platform";
import {
  cancelDeliveries,
  insertEndpoint,
  lockEndpoint,
  selectEndpoints,
  updateEndpointState,
} from "./endpoint-store.ts";
import type { EndpointRow, LockedEndpoint } from "./endpoint-store.ts";
import { secretPlace } from "./sealed-secrets.ts";

/** A receiver of an account's events. */
export type Endpoint = EndpointRow;

/** Registers a receiver. The secret is shown once and stored sealed. */
export async function addEndpoint(
  trx: Trx,
  actor: string,
  cell: Cell,
  secrets: Secrets,
  endpoint: {
    accountId: number;
    url: string;
    agentIds: string[] | null;
    replayExhausted: boolean;
    rules: TargetRules;
  },
): Promise<{ id: string; url: string; secret: string }> {
  const url = checkAddress(endpoint.url, endpoint.rules);
  const id = newEndpointId(cell);
  const secret = newWebhookSecret();
  const { accountId, agentIds, replayExhausted } = endpoint;
  const sealed = secrets.seal(secret, secretPlace(id));
  await insertEndpoint(trx, { id, accountId, url, agentIds, replayExhausted, secret: sealed });
  const detail = { host: new URL(url).host, ...(agentIds !== null && { agents: agentIds }) };
  await audit(trx, { actor, action: "webhook.add", accountId, subject: id, detail });
  return { id, url, secret };
}

export async function listEndpoints(db: Db, accountId?: number): Promise<Endpoint[]> {
  return selectEndpoints(db, accountId === undefined ? "all" : { accountId });
}

export async function findEndpoint(db: Db | Trx, id: string): Promise<Endpoint> {
  const [endpoint] = await selectEndpoints(db, { id });
  return endpoint ?? refuseUnknown(id);
}

/** Deliveries to a paused endpoint wait, and are sent once it is live again. */
export async function setEndpointState(
  trx: Trx,
  actor: string,
  id: string,
  state: "live" | "paused",
): Promise<{ changed: boolean }> {
  const endpoint = await endpointToChange(trx, id);
  if (endpoint.state === state) return { changed: false };
  await updateEndpointState(trx, id, state);
  const action = state === "live" ? "webhook.resume" : "webhook.pause";
  await audit(trx, { actor, action, accountId: endpoint.accountId, subject: id, detail: {} });
  return { changed: true };
}

/** Stops all deliveries to the endpoint. Waiting ones are cancelled, and the log of past ones is kept. */
export async function removeEndpoint(
  trx: Trx,
  actor: string,
  id: string,
): Promise<{ cancelled: number }> {
  const { accountId } = await endpointToChange(trx, id);
  await updateEndpointState(trx, id, "removed");
  const cancelled = await cancelDeliveries(trx, id);
  const detail = { cancelled };
  await audit(trx, { actor, action: "webhook.remove", accountId, subject: id, detail });
  return { cancelled };
}

/** Locks the endpoint until the transaction ends. */
export async function endpointToChange(trx: Trx, id: string): Promise<LockedEndpoint> {
  return (await lockEndpoint(trx, id)) ?? refuseUnknown(id);
}

export function refuseUnknown(id: string): never {
  throw new AppError("not_found", {
    what: `There is no webhook endpoint ${id}.`,
    why: "It was never added, or it has been removed.",
    fix: "Run `svc webhooks list` to see which there are.",
  });
}
