import { audit } from "#accounts";
import { AppError, newWebhookSecret } from "#platform";
import type { Db, Secrets, Trx } from "#platform";
import {
  selectSealed,
  selectSigning,
  updateSealed,
  updateSecret,
} from "./endpoint-secret-store.ts";
import { endpointToChange, findEndpoint, refuseUnknown } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import { openSealed, secretPlace } from "./sealed-secrets.ts";

/** Long enough to change a receiver's configuration in working hours. */
const OVERLAP_SECS = 24 * 3_600;

/** Creates a new secret, which is shown once. The old one signs beside it for a day. */
export async function rotateSecret(
  trx: Trx,
  actor: string,
  secrets: Secrets,
  id: string,
): Promise<{ secret: string; previousUntil: Date }> {
  const endpoint = await endpointToChange(trx, id);
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
  const [sealed = refuseUnknown(id)] = await selectSigning(trx, id);
  const { accountId } = endpoint;
  await audit(trx, { actor, action: "webhook.test", accountId, subject: id, detail: {} });
  return { ...endpoint, secrets: openSealed(secrets, id, sealed) };
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

/** An endpoint that nothing can be sent to: its requests cannot be signed. */
export interface UnopenedSecret {
  endpointId: string;
  url: string;
  /** Such as which key is missing, as a sentence. */
  why: string;
}

/** Endpoints that are not removed and whose secrets these keys do not open. */
export async function secretsThatDoNotOpen(db: Db, secrets: Secrets): Promise<UnopenedSecret[]> {
  const found: UnopenedSecret[] = [];
  for (const { id, url, ...sealed } of await selectSigning(db)) {
    try {
      openSealed(secrets, id, sealed);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      found.push({ endpointId: id, url, why: error.why });
    }
  }
  return found;
}
