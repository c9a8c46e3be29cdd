import { audit } from "#accounts";
import { AppError, checkAddress, newEndpointId, newWebhookSecret } from "#platform";
import type { Cell, Db, Secrets, TargetRules, Trx } from "#platform";
import {
  cancelDeliveries,
  insertEndpoint,
  lockEndpoint,
  selectEndpoints,
  selectSealed,
  selectSigning,
  updateEndpointState,
  updateSealed,
  updateSecret,
} from "./endpoint-store.ts";
import type { EndpointRow } from "./endpoint-store.ts";

/** A receiver of an account's events. */
export type Endpoint = EndpointRow;

/** Long enough to change a receiver's configuration in working hours. */
const OVERLAP_SECS = 24 * 3_600;

/** Binds a sealed secret to its row: copied into another row, it cannot be opened. */
export function secretPlace(endpointId: string): string {
  return `webhook_endpoints.secret ${endpointId}`;
}

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
  const endpoint = await toChange(trx, id);
  if (endpoint.state === state) return { changed: false };
  await updateEndpointState(trx, id, state);
  const action = state === "live" ? "webhook.resume" : "webhook.pause";
  await audit(trx, { actor, action, accountId: endpoint.accountId, subject: id, detail: {} });
  return { changed: true };
}

/** Creates a new secret, which is shown once. The old one signs beside it for a day. */
export async function rotateSecret(
  trx: Trx,
  actor: string,
  secrets: Secrets,
  id: string,
): Promise<{ secret: string; previousUntil: Date }> {
  const endpoint = await toChange(trx, id);
  const secret = newWebhookSecret();
  const previousUntil = await updateSecret(trx, id, {
    secret: secrets.seal(secret, secretPlace(id)),
    previousSecret: endpoint.secret,
    overlapSecs: OVERLAP_SECS,
  });
  const { accountId } = endpoint;
  await audit(trx, { actor, action: "webhook.rotate", accountId, subject: id, detail: {} });
  return { secret, previousUntil };
}

/** Opens the secrets that sign requests to the endpoint, the newest first, for a test by an operator. */
export async function openForTest(
  trx: Trx,
  actor: string,
  secrets: Secrets,
  id: string,
): Promise<Endpoint & { secrets: string[] }> {
  const endpoint = await findEndpoint(trx, id);
  const { secret, previousSecret } = (await selectSigning(trx, id)) ?? refuseUnknown(id);
  const sealed = [secret, previousSecret].filter((one) => one !== null);
  const { accountId } = endpoint;
  await audit(trx, { actor, action: "webhook.test", accountId, subject: id, detail: {} });
  return { ...endpoint, secrets: sealed.map((one) => secrets.open(one, secretPlace(id))) };
}

/** Stops all deliveries to the endpoint. Waiting ones are cancelled, and the log of past ones is kept. */
export async function removeEndpoint(
  trx: Trx,
  actor: string,
  id: string,
): Promise<{ cancelled: number }> {
  const { accountId } = await toChange(trx, id);
  await updateEndpointState(trx, id, "removed");
  const cancelled = await cancelDeliveries(trx, id);
  const detail = { cancelled };
  await audit(trx, { actor, action: "webhook.remove", accountId, subject: id, detail });
  return { cancelled };
}

/**
 * Seals every secret under the newest key. Older keys are still needed for links in mails and for
 * marks of unsubscribed addresses.
 */
export async function resealSecrets(
  trx: Trx,
  actor: string,
  secrets: Secrets,
): Promise<{ resealed: number; total: number }> {
  const rows = await selectSealed(trx);
  let resealed = 0;
  for (const { id, secret, previousSecret } of rows) {
    const old = [secret, previousSecret].filter((one) => one !== null);
    if (!old.some((sealed) => secrets.needsRotation(sealed))) continue;
    const again = (sealed: string): string =>
      secrets.seal(secrets.open(sealed, secretPlace(id)), secretPlace(id));
    await updateSealed(trx, id, {
      secret: again(secret),
      previousSecret: previousSecret === null ? null : again(previousSecret),
    });
    resealed += 1;
  }
  const detail = { resealed };
  if (resealed > 0) {
    await audit(trx, { actor, action: "webhook.reseal", subject: "all endpoints", detail });
  }
  return { resealed, total: rows.length };
}

async function toChange(trx: Trx, id: string): Promise<EndpointRow & { secret: string }> {
  return (await lockEndpoint(trx, id)) ?? refuseUnknown(id);
}

function refuseUnknown(id: string): never {
  throw new AppError("not_found", {
    what: `There is no webhook endpoint ${id}.`,
    why: "It was never added, or it has been removed.",
    fix: "Run `svc webhooks list` to see which there are.",
  });
}
