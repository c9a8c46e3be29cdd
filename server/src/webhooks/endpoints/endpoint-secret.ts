import { audit } from "#accounts";
import { AppError, newWebhookSecret } from "#platform";
import type { Db, Secrets, Trx } from "#platform";
import {
  selectSealed,
  selectSigning,
  updateSealed,
  updateSecret,
  updateStaged,
} from "./endpoint-secret-store.ts";
import { endpointToChange, findEndpoint, refuseUnknown } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import type { LockedEndpoint } from "./endpoint-store.ts";
import { openSealed, secretPlace } from "./sealed-secrets.ts";

/** How long the secret before signs too: long enough to take it out of a receiver in working hours. */
const OVERLAP_SECS = 24 * 3_600;

/**
 * Makes a new secret, which is shown once. It signs beside the current one, in `webhook-signature`
 * alone, until it is activated: the receiver has time to learn it.
 */
export async function stageSecret(
  trx: Trx,
  actor: string,
  secrets: Secrets,
  id: string,
): Promise<{ secret: string }> {
  const { accountId, stagedAt } = await endpointToChange(trx, id);
  if (stagedAt !== null) throw alreadyStaged(id, stagedAt);
  const secret = newWebhookSecret();
  await updateStaged(trx, id, secrets.seal(secret, secretPlace(id)));
  await audit(trx, { actor, action: "webhook.rotate", accountId, subject: id, detail: {} });
  return { secret };
}

/** Signs with the staged secret from now on. The one before signs beside it for a day. */
export async function activateSecret(
  trx: Trx,
  actor: string,
  secrets: Secrets,
  id: string,
): Promise<{ previousUntil: Date | null }> {
  const endpoint = await endpointToChange(trx, id);
  const secret = endpoint.stagedSecret ?? nothingStaged(id);
  const previousUntil = await replaceSecret(trx, secrets, endpoint, secret);
  const { accountId } = endpoint;
  await audit(trx, { actor, action: "webhook.activate", accountId, subject: id, detail: {} });
  return { previousUntil };
}

/** Forgets the staged secret. Nothing else changes. */
export async function cancelStagedSecret(trx: Trx, actor: string, id: string): Promise<void> {
  const { accountId, stagedSecret } = await endpointToChange(trx, id);
  if (stagedSecret === null) nothingStaged(id);
  await updateStaged(trx, id, null);
  const action = "webhook.cancel_rotation";
  await audit(trx, { actor, action, accountId, subject: id, detail: {} });
}

/**
 * Makes a new secret, which is shown once and signs at once, for a secret that has leaked or cannot
 * be opened. The one before signs beside it for a day, and a staged one is forgotten.
 */
export async function rotateSecretNow(
  trx: Trx,
  actor: string,
  secrets: Secrets,
  id: string,
): Promise<{ secret: string; previousUntil: Date | null }> {
  const endpoint = await endpointToChange(trx, id);
  const secret = newWebhookSecret();
  const sealed = secrets.seal(secret, secretPlace(id));
  const previousUntil = await replaceSecret(trx, secrets, endpoint, sealed);
  const { accountId } = endpoint;
  const detail = { now: true };
  await audit(trx, { actor, action: "webhook.rotate", accountId, subject: id, detail });
  return { secret, previousUntil };
}

async function replaceSecret(
  trx: Trx,
  secrets: Secrets,
  { id, secret: old }: LockedEndpoint,
  secret: string,
): Promise<Date | null> {
  // What cannot be opened cannot sign, and every delivery would be held back for it.
  const previousSecret = whyItDoesNotOpen(secrets, id, old) === undefined ? old : null;
  return updateSecret(trx, id, { secret, previousSecret, overlapSecs: OVERLAP_SECS });
}

/**
 * Opens the secrets that sign requests to the endpoint, for a test by an operator. `asActivated`:
 * as it will be once the staged one is activated.
 */
export async function openForTest(
  trx: Trx,
  actor: string,
  secrets: Secrets,
  id: string,
  asActivated = false,
): Promise<Endpoint & { secrets: string[] }> {
  const endpoint = await findEndpoint(trx, id);
  const [{ secret, stagedSecret, previousSecret } = refuseUnknown(id)] = await selectSigning(
    trx,
    id,
  );
  const sealed = asActivated
    ? { secret: stagedSecret ?? nothingStaged(id), stagedSecret: null, previousSecret: secret }
    : { secret, stagedSecret, previousSecret };
  const { accountId } = endpoint;
  await audit(trx, { actor, action: "webhook.test", accountId, subject: id, detail: {} });
  return { ...endpoint, secrets: openSealed(secrets, id, sealed) };
}

/**
 * Seals every secret under the first key. The others are still needed for links in mails and for
 * marks of unsubscribed addresses.
 */
export async function resealSecrets(
  trx: Trx,
  actor: string,
  secrets: Secrets,
): Promise<{ resealed: number; total: number }> {
  const rows = await selectSealed(trx);
  let resealed = 0;
  for (const { id, secret, stagedSecret, previousSecret } of rows) {
    const old = [secret, stagedSecret, previousSecret].filter((one) => one !== null);
    if (!old.some((sealed) => secrets.needsRotation(sealed))) continue;
    const again = (sealed: string): string =>
      secrets.seal(secrets.open(sealed, secretPlace(id)), secretPlace(id));
    await updateSealed(trx, id, {
      secret: again(secret),
      stagedSecret: stagedSecret === null ? null : again(stagedSecret),
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
  return (await selectSigning(db)).flatMap(({ id, url, ...sealed }) => {
    const all = [sealed.secret, sealed.stagedSecret, sealed.previousSecret];
    const [why] = all.flatMap((one) => whyItDoesNotOpen(secrets, id, one) ?? []);
    return why === undefined ? [] : [{ endpointId: id, url, why }];
  });
}

function whyItDoesNotOpen(
  secrets: Secrets,
  endpointId: string,
  sealed: string | null,
): string | undefined {
  try {
    if (sealed !== null) secrets.open(sealed, secretPlace(endpointId));
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.why;
    throw error;
  }
}

function alreadyStaged(id: string, at: Date): AppError {
  return new AppError("conflict", {
    what: `A new secret of ${id} is staged already.`,
    why: `It was made at ${at.toISOString()} and shown then. A second one would make the first one useless, which the receiver may know by now.`,
    fix: `Run \`svc webhooks rotate ${id} --activate\` once the receiver knows it, or \`svc webhooks rotate ${id} --cancel\` and start over.`,
  });
}

function nothingStaged(id: string): never {
  throw new AppError("conflict", {
    what: `${id} has no staged secret.`,
    why: "None was made, or it has been activated or cancelled.",
    fix: `Run \`svc webhooks show ${id}\` to see how its secret stands, or \`svc webhooks rotate ${id}\` to stage a new one.`,
  });
}
