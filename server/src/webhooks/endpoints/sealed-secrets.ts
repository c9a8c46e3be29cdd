import type { Secrets } from "#platform";

/** An endpoint's secrets as they are stored. */
export interface SealedSecrets {
  /** Signs `X-Webhook-Signature`. */
  secret: string;
  /** The secret to come, until it is activated. */
  stagedSecret: string | null;
  /** The secret before, while a rotation overlaps. */
  previousSecret: string | null;
}

/**
 * Opens the secrets that sign requests to the endpoint. The first one signs `X-Webhook-Signature`,
 * which has room for one; `webhook-signature` carries a signature of each, in this order.
 */
export function openSealed(secrets: Secrets, endpointId: string, sealed: SealedSecrets): string[] {
  return [sealed.secret, sealed.stagedSecret, sealed.previousSecret]
    .filter((one) => one !== null)
    .map((one) => secrets.open(one, secretPlace(endpointId)));
}

/** Binds a sealed secret to its row: copied into another row, it cannot be opened. */
export function secretPlace(endpointId: string): string {
  return `webhook_endpoints.secret ${endpointId}`;
}
